import { availableParallelism } from 'node:os';
import { testFiles, TWO_AT_A_TIME } from './test-files.ts';

interface TestPlan {
  /** The runs, executed one after the other. */
  runs: MochaRun[];
  /** The tests need a browser, and one system per worker to browse. */
  needsBrowser: boolean;
  /** Files of failed tests run once more at the end, alone. */
  rerunsFailed: boolean;
}

/** The files of one mocha run, and in how many processes. */
export interface MochaRun {
  workers: number;
  mochaArguments: string[];
}

/** Options of this command, not of mocha. */
const OWN = ['--system', '--browser', '--rerun-failed'];

/** Options whose value is part of test names, for example a path of the API. */
const NAMES_TESTS = /^(-g|--grep|-f|--fgrep)$/;

/**
 * Named files run in one process, in the given order. Without files: everything except system and timing tests. With
 * `--system`: first the system tests, several files at a time because they mostly wait, then the timing tests, two at
 * a time or alone on an idle machine. With `--browser`: the tests that use a browser.
 */
export function planTests(args: readonly string[], cores = availableParallelism()): TestPlan {
  const options = args.filter((arg) => !OWN.includes(arg));
  const rerunsFailed = args.includes('--rerun-failed');
  const run = (workers: number, ...files: string[]): MochaRun => ({
    workers,
    mochaArguments: [...options, ...files],
  });
  const named = options.filter((arg, at) => isFile(arg) && !NAMES_TESTS.test(options[at - 1] ?? ''));
  if (named.length > 0)
    return {
      runs: [run(1)],
      needsBrowser: named.some((file) => file.includes('e2e/browser')),
      rerunsFailed,
    };
  if (args.includes('--browser'))
    return { runs: [run(cores + 1, ...testFiles('browser'))], needsBrowser: true, rerunsFailed };
  const alone = testFiles('timing').filter((file) => !TWO_AT_A_TIME.includes(file));
  const runs = args.includes('--system')
    ? [run(cores + 1, ...testFiles('system')), run(2, ...TWO_AT_A_TIME), run(1, ...alone)]
    : [run(cores + 1, ...testFiles('usual'))];
  return { runs, needsBrowser: false, rerunsFailed };
}

function isFile(arg: string): boolean {
  return /^[^-].*(\.ts$|\/)/.test(arg);
}
