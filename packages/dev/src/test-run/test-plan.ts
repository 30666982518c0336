import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { StackError } from '../command.ts';
import { testFiles } from './test-files.ts';

interface TestPlan {
  /** The runs, executed one after the other. */
  runs: MochaRun[];
  /** Files of failed tests run once more at the end, alone. */
  rerunsFailed: boolean;
}

/** The files of one mocha run, and in how many processes. */
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
 * Named files run in one process, in the given order. Without files: the usual tests. With `--system`: the system tests,
 * several files at a time because they often wait, and at the end, one by one, those that need an idle machine. With
 * `--browser`: the tests that use a browser. With `--all`: all of these. With `--nightly`: all others, in the same way.
 *
 * @throws {StackError} if an option is not known.
 */
export function planTests(args: readonly string[], cores = availableParallelism()): TestPlan {
  const { values, positionals: named } = parsed(args);
  const { grep, bail = false, all = false, system = all, browser = all, nightly = false } = values;
  const { 'rerun-failed': rerunsFailed = false } = values;
  const options = [...(bail ? ['--bail'] : []), ...(grep === undefined ? [] : ['--grep', grep])];
  const run = (workers: number, files: readonly string[], needsBrowser = false): MochaRun => ({
    workers,
    mochaArguments: [...options, ...files],
    needsBrowser,
  });
  if (named.length > 0) return { runs: [run(1, named, named.some(isBrowserTest))], rerunsFailed };
  return {
    runs: [
      ...(all || !(system || browser || nightly) ? [run(cores + 2, testFiles('usual'))] : []),
      ...(system ? [run(cores + 2, testFiles('system'))] : []),
      ...(browser ? [run(cores + 1, testFiles('browser'), true)] : []),
      ...(system ? [run(1, testFiles('quiet'))] : []),
      ...(nightly ? [run(cores + 1, testFiles('nightly')), run(1, testFiles('alone'))] : []),
    ],
    rerunsFailed,
  };
}

export function isBrowserTest(file: string): boolean {
  return file.includes('e2e/browser');
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // parseArgs throws only errors. After the first sentence, the message is about files with such a name.
    const [reason = ''] = (error as Error).message.split('. ');
    const known = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new StackError(reason, `The options are ${known.join(', ')} (npm test -- --help)`);
  }
}
