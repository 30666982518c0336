import { spawn } from 'node:child_process';
import { ROOT } from '../processes/node-process.ts';

const OPENAPI = [
  'docs/openapi/core.json',
  'docs/openapi/portal.json',
  'docs/openapi/admin.json',
  'services/core/src/public-openapi.json',
];

/** `npm run check`: what each tool looks at, all of them even when one has something to say. */
const CHECKS = [
  { label: 'format', tool: 'prettier', args: ['--check', '--log-level=warn', '.'] },
  { label: 'lint', tool: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { label: 'types', tool: 'tsc', args: ['-p', 'tsconfig.json'] },
  { label: 'types of browser tests', tool: 'tsc', args: ['-p', 'packages/e2e/browser/tsconfig.json'] },
  { label: 'types of pages', tool: 'tsc', args: ['-p', 'packages/web/tsconfig.json'] },
  { label: 'dead code', tool: 'knip', args: [] },
  { label: 'OpenAPI documents', tool: 'redocly', args: ['lint', ...OPENAPI] },
];

// Neither a newer release nor usage is anybody's business here.
const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' };

for (const { label, tool, args } of CHECKS) {
  const started = Date.now();
  process.stdout.write(`… ${label} (${tool})\n`);
  const child = spawn(`${ROOT}node_modules/.bin/${tool}`, args, { cwd: ROOT, env, stdio: 'inherit' });
  const status = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message)).once('close', resolve);
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? '✓' : '✗'} ${label} (${seconds} s)\n`);
  if (status !== 0) process.exitCode = 1;
}
