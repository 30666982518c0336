import { availableParallelism } from 'node:os';
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

/** Options of this command, not of mocha. */
const OWN = ['--system', '--browser', '--nightly', '--all', '--rerun-failed'];

/** Options whose value is part of test names, for example a path of the API. */
const NAMES_TESTS = /^(-g|--grep|-f|--fgrep)$/;

/**
 * Named files run in one process, in the given order. Without files: the usual tests. With `--system`: the system tests,
 * several files at a time because they often wait, and at the end, one by one, those that need an idle machine. With
 * `--browser`: the tests that use a browser. With `--all`: all of these. With `--nightly`: all others, in the same way.
 */
export function planTests(args: readonly string[], cores = availableParallelism()): TestPlan {
  const options = args.filter((arg) => !OWN.includes(arg));
  const rerunsFailed = args.includes('--rerun-failed');
  const run = (workers: number, files: readonly string[], needsBrowser = false): MochaRun => ({
    workers,
    mochaArguments: [...options, ...files],
    needsBrowser,
  });
  const named = options.filter((arg, at) => isFile(arg) && !NAMES_TESTS.test(options[at - 1] ?? ''));
  if (named.length > 0) return { runs: [run(1, [], named.some(isBrowserTest))], rerunsFailed };
  const has = (suite: string): boolean => args.includes(suite);
  const isUsual = !has('--system') && !has('--browser') && !has('--nightly');
  return {
    runs: [
      ...(isUsual ? [run(cores + 2, testFiles('usual'))] : []),
      ...(has('--all') || has('--system') ? [run(cores + 2, testFiles('system'))] : []),
      ...(has('--all') || has('--browser') ? [run(cores + 1, testFiles('browser'), true)] : []),
      ...(has('--all') || has('--system') ? [run(1, testFiles('quiet'))] : []),
      ...(has('--nightly') ? [run(cores + 1, testFiles('nightly')), run(1, testFiles('alone'))] : []),
    ],
    rerunsFailed,
  };
}

export function isBrowserTest(file: string): boolean {
  return file.includes('e2e/browser');
}

function isFile(arg: string): boolean {
  return /^[^-].*(\.ts$|\/)/.test(arg);
}
