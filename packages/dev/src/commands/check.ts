import { execFile, spawnSync } from 'node:child_process';
import { command, printProgress, ROOT, StackError } from '../command.ts';
import { built } from '../stack/programs.ts';

const HELP = `Checks format, lint, types, dead code, the OpenAPI document, sizes, and that nothing stable is broken.

  npm run check              exits with 1 if something is wrong
  npm run check -- --sizes   prints how large everything is instead, which budgets limit (docs/architecture.md)
`;

const SIZES = 'packages/codegen/src/sizes/sizes-cli.ts';
/** The caches of the tools, keyed by the contents of the files they read. Ignored by git; CI starts without them. */
const CACHE = 'node_modules/.cache';
const PRETTIER_CACHE = `--cache --cache-strategy=content --cache-location=${CACHE}/prettier/cache.json`;

/** The tools of `npm run check` with their arguments, slowest first. */
const CHECKS: Record<string, string> = {
  lint: 'oxlint --type-aware --deny-warnings',
  format: `prettier --check --log-level=warn ${PRETTIER_CACHE} .`,
  types: types('tsconfig.json'),
  // With the tests of the client, which need the same types of browsers.
  'types of browser tests': types('packages/e2e/browser/tsconfig.json'),
  'types of pages': types('packages/web/tsconfig.json'),
  'types of the client': types('packages/client/tsconfig.json'),
  'dead code': 'knip',
  'OpenAPI document': 'redocly lint services/core/src/public-openapi.json',
  'compatibility with the last release': 'tsx packages/codegen/src/compatibility/compatibility-cli.ts',
  sizes: `tsx ${SIZES}`,
};
/** Two tools at a time keep two cores busy; the first tool alone uses both. */
const AT_ONCE = 2;

function types(project: string): string {
  const buildInfo = `${CACHE}/tsc/${project.replaceAll('/', '-')}.tsbuildinfo`;
  return `tsc -p ${project} --incremental --tsBuildInfoFile ${buildInfo}`;
}

const env = {
  ...process.env,
  ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
  // Redocly must neither look for newer releases nor send usage data.
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_TELEMETRY: 'off',
};

/** All tools run, even if one reports errors. The output of each is printed together, above its own line. */
const waiting = Object.entries(CHECKS).values();
const next = async (): Promise<void> => {
  for (const [label, commandLine] of waiting) await run(label, commandLine);
};

await command(import.meta.url, async (options) => {
  const unknown = options.find((option) => option !== '--sizes');
  if (unknown !== undefined) throw new StackError(`npm run check does not accept "${unknown}"`, HELP);
  // Types and the OpenAPI document are up to date only after a build.
  await built(printProgress());
  if (options.length > 0) {
    spawnSync(`${ROOT}node_modules/.bin/tsx`, [SIZES, '--print'], { cwd: ROOT, stdio: 'inherit' });
  } else {
    process.stdout.write(`… ${Object.keys(CHECKS).join(', ')}\n`);
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  }
});

function run(label: string, commandLine: string): Promise<void> {
  const started = Date.now();
  const [tool = '', ...args] = commandLine.split(' ');
  const program = `${ROOT}node_modules/.bin/${tool}`;
  return new Promise((resolve) => {
    execFile(program, args, { cwd: ROOT, env, maxBuffer: Infinity }, (error, stdout, stderr) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      if (error !== null) {
        process.stdout.write(stdout === '' && stderr === '' ? `${error.message}\n` : stdout + stderr);
        process.exitCode = 1;
      }
      process.stdout.write(`${error === null ? '✓' : '✗'} ${label} (${seconds} s)\n`);
      resolve();
    });
  });
}
