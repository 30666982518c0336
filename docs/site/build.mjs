import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The generator is installed for itself, on first use and after changes: nothing else needs it. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));

const run = (...args) => spawnSync('npm', args, { cwd: FOLDER, stdio: 'inherit' }).status === 0;

const changedMs = (file) => statSync(`${FOLDER}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const isInstalled = changedMs('node_modules/.package-lock.json') >= changedMs('package-lock.json');
if (
  (isInstalled || run('ci', '--ignore-scripts', '--no-audit', '--no-fund')) &&
  run('run', '--silent', 'build')
)
  process.stdout.write(
    '✓ built into dist/site/, for any web server. To look at it here: npm --prefix docs/site run preview\n',
  );
else process.exitCode = 1;
