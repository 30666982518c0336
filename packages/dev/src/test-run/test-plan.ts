import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesBelow } from '@gatehouse/build';
import { readArguments, ROOT, StackError } from '../command.ts';

export interface MochaRun {
  workers: number;
  mochaArguments: string[];
  /** The tests need a browser, and one system per worker to browse. */
  needsBrowser: boolean;
}

const OPTIONS = {
  grep: { type: 'string', short: 'g' },
  bail: { type: 'boolean', short: 'b' },
  system: { type: 'boolean' },
  browser: { type: 'boolean' },
  nightly: { type: 'boolean' },
  all: { type: 'boolean' },
  'rerun-failed': { type: 'boolean' },
} as const;

/**
 * Named files run in one process, in the given order. A suite runs several files at a time, and at the end, one by one,
 * those that need an idle machine. The runs are executed one after the other.
 *
 * @throws {StackError} if an option is not known, or a pattern matches no file.
 */
export async function planTests(args: readonly string[], cores = availableParallelism()) {
  const known = Object.keys(OPTIONS).map((name) => `--${name}`);
  const { values, positionals: named } = readArguments(
    { args: [...args], options: OPTIONS, allowPositionals: true },
    `The options are ${known.join(', ')} (npm test -- --help)`,
  );
  const { grep, bail = false, all = false, system = all, browser = all, nightly = false } = values;
  const options = [...(bail ? ['--bail'] : []), ...(grep === undefined ? [] : ['--grep', grep])];
  const run = (workers: number, files: readonly string[], needsBrowser = false): MochaRun => ({
    workers,
    mochaArguments: [...options, ...files],
    needsBrowser,
  });
  if (named.length > 0) {
    await refuseUnmatched(named);
    const needsBrowser = named.some((file) => file.includes('e2e/browser'));
    return [run(1, named, needsBrowser)];
  }
  return [
    ...(all || !(system || browser || nightly) ? [run(cores + 2, testFiles('usual'))] : []),
    ...(system ? [run(cores + 2, testFiles('system'))] : []),
    ...(browser ? [run(cores + 1, testFiles('browser'), true)] : []),
    ...(system ? [run(1, testFiles('quiet'))] : []),
    ...(nightly ? [run(cores + 1, testFiles('nightly')), run(1, testFiles('alone'))] : []),
  ];
}

/** Mocha itself warns, and runs what the other patterns match. */
async function refuseUnmatched(patterns: readonly string[]): Promise<void> {
  const file = pathToFileURL(join(ROOT, 'node_modules/mocha/lib/cli/lookup-files.js'));
  // It has no types.
  const mocha = (await import(file.href)) as { lookupFiles(pattern: string, extensions: string[]): unknown };
  for (const pattern of patterns) {
    try {
      mocha.lookupFiles(pattern, ['ts']);
    } catch (cause) {
      const advice = 'Paths begin at the root of the repository; mocha expands braces only beside a star';
      throw new StackError(`No file matches ${pattern}`, advice, { cause });
    }
  }
}

/** The suite of a file: `npm test`, `test:system` (in two parts), `test:browser`, or `test:nightly` (in two parts). */
export type Suite = 'usual' | 'system' | 'quiet' | 'browser' | 'nightly' | 'alone';

const TIMEOUT = /\.timeout\(([\d_]+)\)/g;

/** Files that run for a minute or more beside others, or mostly wait, in the order in which they start. */
export const LONGEST = [
  'packages/lab/faults/crash-points/crash-points.system.test.ts',
  'packages/lab/attacks/attacks.system.test.ts',
  'packages/lab/faults/crash-points/crash-points-background.system.test.ts',
  'packages/lab/cluster/redis-cluster.system.test.ts',
  'packages/e2e/src/journeys/journeys.test.ts',
  'packages/lab/cluster/redis-cluster-split.nightly.test.ts',
  'packages/e2e/browser/apps/client-tabs.test.ts',
  'packages/e2e/browser/console/data/erasures.test.ts',
  'packages/e2e/browser/console/accounts/accounts.test.ts',
  'packages/e2e/browser/pages/signing-up.test.ts',
];

/** Paths from the root. The longest files come first: if one started last, the other workers would wait idly. */
export function testFiles(suite: Suite): string[] {
  return ['packages', 'services']
    .flatMap((folder) => filesBelow(ROOT, folder))
    .filter((file) => file.endsWith('.test.ts') && suiteOf(file) === suite)
    .map((file) => ({ file, rank: LONGEST.toReversed().indexOf(file), longestMs: longestTimeoutMs(file) }))
    .toSorted((one, other) => other.rank - one.rank || other.longestMs - one.longestMs)
    .map(({ file }) => file);
}

function suiteOf(file: string): Suite {
  const folder = file.split(sep)[2] ?? '';
  if (folder === 'browser') return 'browser';
  if (file.endsWith('.timing.test.ts')) return 'alone';
  if (file.endsWith('.nightly.test.ts')) return 'nightly';
  if (file.endsWith('.quiet.test.ts')) return 'quiet';
  return file.endsWith('.system.test.ts') ? 'system' : 'usual';
}

function longestTimeoutMs(file: string): number {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return Math.max(0, ...[...text.matchAll(TIMEOUT)].map(([, ms = '0']) => Number(ms.replaceAll('_', ''))));
}
