import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ROOT } from '../processes/node-process.ts';

/** Of which suite a file is: `npm test`, `test:system` (two parts) or `test:browser`. */
type Suite = 'usual' | 'system' | 'timing' | 'browser';

/** Where packages and services have test files. */
const FOLDERS = ['src', 'attacks', 'browser'];

/** How long a test of the file may take, as the file itself says. */
const TIMEOUT = /\.timeout\(([\d_]+)\)/g;

/**
 * The files of a suite, from the root of the repository. Those whose tests may take longest come first: a long one that
 * begins last is waited for by idle workers.
 */
export function testFiles(suite: Suite): string[] {
  return ['packages', 'services']
    .flatMap((kind) =>
      readdirSync(join(ROOT, kind)).flatMap((name) => FOLDERS.map((at) => join(kind, name, at))),
    )
    .flatMap((folder) => filesBelow(folder))
    .filter((file) => file.endsWith('.test.ts') && suiteOf(file) === suite)
    .toSorted()
    .map((file) => ({ file, longestMs: longestOf(readFileSync(join(ROOT, file), 'utf8')) }))
    .toSorted((one, other) => other.longestMs - one.longestMs)
    .map(({ file }) => file);
}

function suiteOf(file: string): Suite {
  if (file.split(sep)[2] === 'browser') return 'browser';
  return file.endsWith('.system.test.ts') ? 'system' : file.endsWith('.timing.test.ts') ? 'timing' : 'usual';
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(folder, name));
}

function longestOf(text: string): number {
  return Math.max(0, ...[...text.matchAll(TIMEOUT)].map(([, ms = '0']) => Number(ms.replaceAll('_', ''))));
}
