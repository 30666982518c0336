// The commands of the root package.json. Plain JavaScript without dependencies, because it runs on a fresh clone before
// anything is installed. The commands that it starts are TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The commands by name: the file, what it does, and which file has the text for --help. A command without the last
 * takes no arguments.
 */
const COMMANDS = {
  start: [
    'packages/dev/src/commands/start.ts',
    'starts the whole system and keeps it running (--fresh, --scale 2, --redis-cluster)',
    'packages/dev/src/commands/start.ts',
  ],
  stop: [
    'packages/dev/src/commands/stop.ts',
    'stops the stack of npm start, including processes of one that was killed',
    'packages/dev/src/commands/stop.ts',
  ],
  test: [
    'packages/dev/src/test-run/test.ts',
    'runs the tests against temporary servers (accepts files, --grep and --bail)',
    'packages/dev/src/test-run/test.ts',
  ],
  'test:system': [
    'packages/dev/src/test-run/test.ts',
    'runs the main proofs of what the system promises: faults, kills, attacks, clusters (minutes)',
    'packages/dev/src/test-run/test.ts',
  ],
  'test:browser': [
    'packages/dev/src/test-run/test.ts',
    'tests the pages in Chromium',
    'packages/dev/src/test-run/test.ts',
  ],
  'test:nightly': [
    'packages/dev/src/test-run/test.ts',
    'runs all other tests: every fault, kill and malformed request, timing, more clusters (hours)',
    'packages/dev/src/test-run/test.ts',
  ],
  screenshots: ['packages/dev/src/test-run/test.ts', 'takes the screenshots in docs/images with Chromium'],
  build: [
    'packages/build/src/build-cli.ts',
    'builds services and commands into dist/ if their sources changed (start and test do it too)',
  ],
  'pack:client': [
    'packages/build/src/pack/pack-cli.ts',
    'packs gatehouse-client and gatehouse-verify into dist/packed, for apps',
  ],
  servers: [
    'packages/dev/src/install/provide.ts',
    'installs all servers that npm start and the tests need, where they are missing',
  ],
  check: [
    'packages/dev/src/commands/check.ts',
    'checks format, lint, types, dead code, the OpenAPI document and compatibility (--sizes counts lines and words instead)',
    'packages/dev/src/commands/check.ts',
  ],
  bench: [
    'packages/e2e/bench/bench.ts',
    'measures performance against bare Express, better-auth and others (-- --help)',
    'packages/e2e/bench/options.ts',
  ],
  'bench:console': [
    'packages/dev/src/test-run/test.ts',
    'measures with Chromium how fast the console paints, over the demo data',
  ],
  openapi: [
    'packages/codegen/src/openapi/openapi-cli.ts',
    'writes the OpenAPI document, and the tables of roles and database rights in docs/',
  ],
  chart: [
    'packages/codegen/src/chart/chart-cli.ts',
    'writes what the Helm chart has from elsewhere, and the manifests of deploy/kubernetes',
  ],
  site: [
    'packages/dev/src/commands/site.ts',
    'builds the documentation as a static site with search into dist/site',
  ],
  release: [
    'packages/codegen/src/release/release-cli.ts',
    'makes a release: version, changelog, commit and tag (<version>, --dry-run, or --help)',
    'packages/codegen/src/release/release-cli.ts',
  ],
  migrate: [
    'packages/dev/src/commands/tool.ts',
    'migrates the database at DATABASE_URL and grants each service its rights',
  ],
  'create-admin': [
    'packages/dev/src/commands/tool.ts',
    'creates an administrator (interactive, or see --help)',
    'services/tools/src/create-admin-command.ts',
  ],
  'erase:replay': [
    'packages/dev/src/commands/tool.ts',
    'saves which accounts were erased, and erases them again after a backup was restored (--help)',
    'services/tools/src/erase-replay-command.ts',
  ],
  import: [
    'packages/dev/src/commands/tool.ts',
    'imports accounts from a file with one JSON object per line (<file>, or --help)',
    'services/tools/src/import/import-command.ts',
  ],
  'demo:faces': [
    'packages/dev/src/demo/demo-faces.ts',
    'sends demo face reports to the stack of npm start (--count N, or --help)',
    'packages/dev/src/demo/demo-faces.ts',
  ],
  keys: [
    'packages/dev/src/commands/tool.ts',
    'creates and rotates signing keys, and derives the keys of each service (--help)',
    'services/tools/src/keys/keys-command.ts',
  ],
  secrets: [
    'packages/dev/src/commands/tool.ts',
    'creates the secrets of a deployment, one file each (<folder>, or --help)',
    'services/tools/src/secrets/secrets-command.ts',
  ],
};
/** Arguments that are put before those of the caller. */
const PRESETS = {
  'test:system': ['--system'],
  'test:browser': ['--browser'],
  'test:nightly': ['--nightly'],
  screenshots: [
    'packages/e2e/browser/screenshots/take.ts',
    'packages/e2e/browser/screenshots/take-console.ts',
  ],
  'bench:console': ['packages/e2e/browser/measurements/console-speed.ts'],
  'pack:client': ['client', 'verify'],
  migrate: ['migrate'],
  'create-admin': ['create-admin'],
  'erase:replay': ['erase:replay'],
  import: ['import'],
  keys: ['keys'],
  secrets: ['secrets'],
};
const HELP = /^(?:export )?const HELP = `([^`]*)`;$/m;
const NODE_OLDEST = [20, 19];
const PNPM = 'pnpm@10.34.9';
const root = fileURLToPath(new URL('../../', import.meta.url));

const [command, ...rest] = process.argv.slice(2);
if (command === undefined || command === '--help' || command === '-h') help(command === undefined ? 1 : 0);
else if (COMMANDS[command] === undefined) {
  process.stderr.write(`Unknown command "${command}".\n\n`);
  help(1);
} else if (rest.some((argument) => argument === '--help' || argument === '-h')) {
  process.stdout.write(helpFor(command));
} else if (COMMANDS[command][2] === undefined && rest.length > 0) {
  process.stderr.write(`npm run ${command} takes no arguments, but got "${rest[0]}".\n`);
  process.exitCode = 1;
} else {
  requireUnix();
  requireNode();
  installPackages();
  await run(COMMANDS[command][0], [...(PRESETS[command] ?? []), ...rest]);
}

function help(exitCode) {
  const lines = Object.entries(COMMANDS).map(
    ([name, [, meaning]]) => `  npm run ${name.padEnd(12)}  ${meaning}`,
  );
  process.stdout.write(`Gatehouse's commands, all from the root of the repository:\n\n${lines.join('\n')}\n`);
  process.exitCode = exitCode;
}

/** The text HELP, read from the source of the command: no package needs to be installed to show it. */
function helpFor(name) {
  const [, meaning, own] = COMMANDS[name];
  const [, text] = own === undefined ? [] : (HELP.exec(readFileSync(`${root}${own}`, 'utf8')) ?? []);
  return text ?? `npm run ${name}: ${meaning}. It takes no options.\n`;
}

function requireUnix() {
  if (process.platform !== 'win32') return;
  process.stderr.write(
    'This command needs Linux or macOS. On Windows, use it in WSL (wsl --install), or run Gatehouse with Docker: docs/containers.md\n',
  );
  process.exit(1);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_OLDEST[0] || (major === NODE_OLDEST[0] && minor >= NODE_OLDEST[1])) return;
  process.stderr.write(
    `Gatehouse needs Node ${NODE_OLDEST.join('.')} or newer; this is ${process.version}. Install a newer one and try again.\n`,
  );
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
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`);
    process.stderr.write(
      `✗ The packages could not be installed; the lines above, which are pnpm's, say why.
  An outdated lockfile: somebody changed a package.json without it. Run: npx ${PNPM} install, and commit pnpm-lock.yaml.
  A registry that does not answer: see whether the network is there, then run this command again.
`,
    );
    process.exit(1);
  }
  const now = new Date();
  utimesSync(installed, now, now);
  process.stdout.write(`✓ packages installed (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
}

/**
 * Runs the file in this process, so that signals need not be forwarded. Node strips types itself from 22.18 on; with
 * older versions tsx does it.
 */
async function run(file, args) {
  const path = `${root}${file}`;
  if (!existsSync(path)) {
    process.stderr.write(`${file} is not there.\n`);
    process.exit(1);
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 18)) (await import('tsx/esm/api')).register();
  process.argv = [process.argv[0], path, ...args];
  await import(pathToFileURL(path).href);
}
