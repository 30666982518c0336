import { spawn, spawnSync } from 'node:child_process';
import { ROOT } from '../command.ts';

const HELP = `Checks format, lint, types, dead code, the OpenAPI document, sizes, and that nothing stable is broken.

  npm run check              exits with 1 if something is wrong
  npm run check -- --sizes   prints how large everything is instead, which budgets limit (docs/architecture.md)
`;

interface Check {
  label: string;
  tool: string;
  args: string[];
}

/** The caches of the tools, keyed by the contents of the files they read. Ignored by git; CI starts without them. */
const CACHE = 'node_modules/.cache';

const SIZES = 'packages/codegen/src/sizes/sizes-cli.ts';

/** The tools of `npm run check`, slowest first. */
const CHECKS: Check[] = [
  { label: 'lint', tool: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  {
    label: 'format',
    tool: 'prettier',
    args: [
      '--check',
      '--log-level=warn',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${CACHE}/prettier/cache.json`,
      '.',
    ],
  },
  types('types', 'tsconfig.json'),
  // With the tests of the client, which need the same types of browsers.
  types('types of browser tests', 'packages/e2e/browser/tsconfig.json'),
  types('types of pages', 'packages/web/tsconfig.json'),
  types('types of the client', 'packages/client/tsconfig.json'),
  { label: 'dead code', tool: 'knip', args: [] },
  { label: 'OpenAPI document', tool: 'redocly', args: ['lint', 'services/core/src/public-openapi.json'] },
  {
    label: 'compatibility with the last release',
    tool: 'tsx',
    args: ['packages/codegen/src/compatibility/compatibility-cli.ts'],
  },
  { label: 'sizes', tool: 'tsx', args: [SIZES] },
];
/** Two tools at a time keep two cores busy; the first tool alone uses both. */
const AT_ONCE = 2;

function types(label: string, project: string): Check {
  const buildInfo = `${CACHE}/tsc/${project.replaceAll('/', '-')}.tsbuildinfo`;
  return { label, tool: 'tsc', args: ['-p', project, '--incremental', '--tsBuildInfoFile', buildInfo] };
}

const env = {
  ...process.env,
  ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
  // Redocly must neither look for newer releases nor send usage data.
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_TELEMETRY: 'off',
};

/** All tools run, even if one reports errors. The output of each is printed together, above its own line. */
const waiting = CHECKS.values();
const next = async (): Promise<void> => {
  for (const check of waiting) await run(check);
};
const options = process.argv.slice(2);
if (options.some((option) => option !== '--sizes')) {
  process.stderr.write(HELP);
  process.exitCode = 1;
} else if (!build()) {
  process.exitCode = 1;
} else if (options.length > 0) {
  spawnSync(`${ROOT}node_modules/.bin/tsx`, [SIZES, '--print'], { cwd: ROOT, stdio: 'inherit' });
} else {
  process.stdout.write(`… ${CHECKS.map(({ label }) => label).join(', ')}\n`);
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Types and the OpenAPI document are up to date only after a build. */
function build(): boolean {
  const args = [`${ROOT}packages/dev/run.mjs`, 'build'];
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;
}

async function run({ label, tool, args }: Check): Promise<void> {
  const started = Date.now();
  const child = spawn(`${ROOT}node_modules/.bin/${tool}`, args, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const status = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message)).once('close', resolve);
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (status !== 0) {
    process.stdout.write(Buffer.concat(output));
    process.exitCode = 1;
  }
  process.stdout.write(`${status === 0 ? '✓' : '✗'} ${label} (${seconds} s)\n`);
}
