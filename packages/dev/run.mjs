// The commands of the root package.json. Plain JavaScript without dependencies, because it runs on a fresh clone before
// anything is installed. The commands that it starts are TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TEST = 'packages/dev/src/test-run/test.ts';
const COMMANDS_FOLDER = 'packages/dev/src/commands';

const own = (name, does) => ({ file: `${COMMANDS_FOLDER}/${name}.ts`, does });
const tests = (does, ...args) => ({ file: TEST, does, args });
/** A command of the operators' tools, or an example. */
const tool = (name, does, helpFile) => ({ ...own('tool', does), help: helpFile, args: [name] });

/**
 * The commands by name: the file, what it does, which file has the text for --help, if it is another (a command without
 * the text takes no arguments), and the arguments that are put before those of the caller.
 */
const COMMANDS = {
  start: own('start', 'starts the whole system and keeps it running (--fresh, --scale 2, --redis-cluster)'),
  stop: own('stop', 'stops the stack of npm start, including processes of one that was killed'),
  test: tests('runs the tests against temporary servers (accepts files, --grep and --bail)'),
  'test:system': tests(
    'runs the main proofs of what the system promises: faults, kills, attacks, clusters (minutes)',
    '--system',
  ),
  'test:browser': tests('tests the pages in Chromium', '--browser'),
  'test:nightly': tests(
    'runs all other tests: every fault, kill and malformed request, timing, more clusters (hours)',
    '--nightly',
  ),
  screenshots: {
    file: TEST,
    does: 'takes the screenshots in docs/images with Chromium',
    help: 'packages/e2e/browser/screenshots/take.ts',
    args: ['packages/e2e/browser/screenshots/take.ts'],
  },
  build: {
    file: 'packages/build/src/build-cli.ts',
    does: 'builds services and commands into dist/ if their sources changed (start and test do it too)',
  },
  'pack:client': {
    file: 'packages/build/src/pack/pack-cli.ts',
    does: 'packs gatehouse-client and gatehouse-verify into dist/packed, for apps',
    args: ['client', 'verify'],
  },
  servers: {
    file: 'packages/dev/src/install/provide.ts',
    does: 'installs all servers that npm start and the tests need, where they are missing',
  },
  check: own(
    'check',
    'checks format, lint, types, dead code, the OpenAPI document and compatibility (--sizes counts lines and words instead)',
  ),
  bench: {
    file: 'packages/lab/bench/bench.ts',
    does: 'measures performance against bare Express, better-auth and others (-- --help)',
  },
  openapi: {
    file: 'packages/codegen/src/openapi/openapi-cli.ts',
    does: 'writes the OpenAPI document, and the tables of roles and database rights in docs/',
  },
  chart: {
    file: 'packages/codegen/src/chart/chart-cli.ts',
    does: 'writes what the Helm chart has from elsewhere, and the manifests of deploy/kubernetes',
  },
  site: {
    file: 'docs/site/build.mjs',
    does: 'builds the documentation as a static site with search into dist/site',
  },
  release: {
    file: 'packages/codegen/src/release/release-cli.ts',
    does: 'makes a release: version, changelog, commit and tag (<version>, --dry-run, or --help)',
  },
  migrate: tool('migrate', 'migrates the database at DATABASE_URL and grants each service its rights'),
  'create-admin': tool(
    'create-admin',
    'creates an administrator (interactive, or see --help)',
    'services/tools/src/create-admin-command.ts',
  ),
  'erase:replay': tool(
    'erase:replay',
    'saves which accounts were erased, and erases them again after a backup was restored (--help)',
    'services/tools/src/erase-replay-command.ts',
  ),
  import: tool(
    'import',
    'imports accounts from a file with one JSON object per line (<file>, or --help)',
    'services/tools/src/import/import-command.ts',
  ),
  'demo:faces': tool(
    'demo:faces',
    'sends demo face reports to the stack of npm start (--count N, or --help)',
    'examples/faces/report.mjs',
  ),
  'demo:tv': tool('demo:tv', 'signs in a television in this terminal, beside npm start -- --demo'),
  keys: tool(
    'keys',
    'creates and rotates signing keys, and derives the keys of each service (--help)',
    'services/tools/src/keys/keys-command.ts',
  ),
  secrets: tool(
    'secrets',
    'creates the secrets of a deployment, one file each (<folder>, or --help)',
    'services/tools/src/secrets.ts',
  ),
};
const HELP = /^(?:export )?const HELP = `([^`]*)`;$/m;
const NODE_OLDEST = '20.19';
/** From here on Node strips types itself. */
const NODE_STRIPS_TYPES = '22.18';
const PNPM = 'pnpm@10.34.9';
const root = fileURLToPath(new URL('../../', import.meta.url));

const [command, ...rest] = process.argv.slice(2);
if (command === undefined || command === '--help' || command === '-h') help(command === undefined ? 1 : 0);
else if (COMMANDS[command] === undefined) {
  process.stderr.write(`Unknown command "${command}".\n\n`);
  help(1);
} else if (rest.some((argument) => argument === '--help' || argument === '-h')) {
  process.stdout.write(
    helpFor(command) ?? `npm run ${command}: ${COMMANDS[command].does}. It takes no options.\n`,
  );
} else if (rest.length > 0 && helpFor(command) === undefined) {
  fail(`npm run ${command} takes no arguments, but got "${rest[0]}".`);
} else {
  requireSystem();
  installPackages();
  const { file, args = [] } = COMMANDS[command];
  await run(file, [...args, ...rest]);
}

function help(exitCode) {
  const lines = Object.entries(COMMANDS).map(([name, { does }]) => `  npm run ${name.padEnd(12)}  ${does}`);
  process.stdout.write(`Gatehouse's commands, all from the root of the repository:\n\n${lines.join('\n')}\n`);
  process.exitCode = exitCode;
}

/** The text HELP, read from the source of the command: no package needs to be installed to show it. */
function helpFor(name) {
  const { file, help: other = file } = COMMANDS[name];
  return HELP.exec(readFileSync(`${root}${other}`, 'utf8'))?.[1];
}

function requireSystem() {
  if (process.platform === 'win32')
    fail(
      'This command needs Linux or macOS. On Windows, use it in WSL (wsl --install), or run Gatehouse with Docker: docs/containers.md',
    );
  if (!isNode(NODE_OLDEST))
    fail(
      `Gatehouse needs Node ${NODE_OLDEST} or newer; this is ${process.version}. Install a newer one and try again.`,
    );
}

function isNode(oldest) {
  return process.versions.node.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** Installs the packages if they are missing or older than the lockfile. */
function installPackages() {
  const installed = `${root}node_modules/.modules.yaml`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${root}pnpm-lock.yaml`).mtimeMs)
    return;
  process.stdout.write('… installing the packages (a minute or two, the first time)\n');
  const started = Date.now();
  // CI=true keeps pnpm from asking questions: possibly there is no terminal to answer them.
  const result = spawnSync('npx', ['-y', PNPM, 'install', '--frozen-lockfile'], {
    cwd: root,
    env: { ...process.env, CI: 'true' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0)
    fail(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}
✗ The packages could not be installed; the lines above, which are pnpm's, say why.
  An outdated lockfile: somebody changed a package.json without it. Run: npx ${PNPM} install, and commit pnpm-lock.yaml.
  A registry that does not answer: see whether the network is there, then run this command again.`);
  const now = new Date();
  utimesSync(installed, now, now);
  process.stdout.write(`✓ packages installed (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
}

/** Runs the file in this process, so that signals need not be forwarded. tsx strips types where Node does not. */
async function run(file, args) {
  const path = `${root}${file}`;
  if (!existsSync(path)) fail(`${file} is not there.`);
  if (!isNode(NODE_STRIPS_TYPES)) (await import('tsx/esm/api')).register();
  process.argv = [process.argv[0], path, ...args];
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL((await bundleOf(file)) ?? path).href);
}

/** The command as one file, which loads in a fifth of the time, if it was built and no source has changed since. */
async function bundleOf(file) {
  const { PROGRAMS } = await import('../build/src/programs.ts');
  const [name] = Object.entries(PROGRAMS).find(([, main]) => main === file) ?? [];
  if (name === undefined) return undefined;
  const { isUpToDate } = await import('../build/src/outputs.ts');
  return isUpToDate() ? `${root}dist/${name}/main.mjs` : undefined;
}
