import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ROOT } from '../command.ts';

/** The suite of a file: `npm test`, `test:system` (in two parts), `test:browser`, or `test:nightly` (in two parts). */
export type Suite = 'usual' | 'system' | 'quiet' | 'browser' | 'nightly' | 'alone';

/** The folders of packages and services that contain test files. */
const FOLDERS = ['src', 'attacks', 'browser', 'faults'];

/** The timeout of a test, as set in the file. */
const TIMEOUT = /\.timeout\(([\d_]+)\)/g;

/** Files that run for a minute or more beside others, or mostly wait, in the order in which they start. */
export const LONGEST = [
  'packages/e2e/src/crashes/crash-points.system.test.ts',
  'packages/e2e/attacks/attacks.system.test.ts',
  'packages/e2e/src/crashes/crash-points-background.system.test.ts',
  'packages/e2e/src/cluster/redis-cluster.system.test.ts',
  'packages/e2e/src/journeys/journeys.test.ts',
  'packages/e2e/src/streams/session-streams.nightly.test.ts',
  'packages/e2e/src/cluster/redis-cluster-split.nightly.test.ts',
  'packages/e2e/browser/apps/client-tabs.test.ts',
  'packages/e2e/browser/console/data/erasures.test.ts',
  'packages/e2e/browser/console/accounts/accounts.test.ts',
  'packages/e2e/browser/pages/signing-up.test.ts',
];

/**
 * The files of a suite, as paths from the root of the repository. The longest come first, then those with the longest
 * timeouts: if a long file started last, the other workers would wait for it idly.
 */
export function testFiles(suite: Suite): string[] {
  return ['packages', 'services']
    .flatMap((kind) =>
      readdirSync(join(ROOT, kind)).flatMap((name) => FOLDERS.map((at) => join(kind, name, at))),
    )
    .flatMap((folder) => filesBelow(folder))
    .filter((file) => file.endsWith('.test.ts') && suiteOf(file) === suite)
    .toSorted()
    .map((file) => ({ file, rank: LONGEST.toReversed().indexOf(file), longestMs: longestOf(read(file)) }))
    .toSorted((one, other) => other.rank - one.rank || other.longestMs - one.longestMs)
    .map(({ file }) => file);
}

function suiteOf(file: string): Suite {
  const folder = file.split(sep)[2] ?? '';
  if (folder === 'browser') return 'browser';
  // Those in the folder of faults take the whole machine for minutes.
  if (folder === 'faults' || file.endsWith('.timing.test.ts')) return 'alone';
  if (file.endsWith('.nightly.test.ts')) return 'nightly';
  if (file.endsWith('.quiet.test.ts')) return 'quiet';
  return file.endsWith('.system.test.ts') ? 'system' : 'usual';
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(folder, name));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function longestOf(text: string): number {
  return Math.max(0, ...[...text.matchAll(TIMEOUT)].map(([, ms = '0']) => Number(ms.replaceAll('_', ''))));
}
