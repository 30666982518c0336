import { availableParallelism } from 'node:os';
import { testFiles } from './test-files.ts';

/** What a test run consists of. */
interface TestPlan {
  /** One after the other. */
  runs: MochaRun[];
  /** It drives pages: there must be a browser, and a system behind the pages for each worker. */
  needsBrowser: boolean;
  /** Files of failed tests run once more at the end, by themselves. */
  rerunsFailed: boolean;
}

/** Which files mocha runs, and in how many processes. */
export interface MochaRun {
  workers: number;
  mochaArguments: string[];
}

/** Options of ours, not of mocha. */
const OWN = ['--system', '--browser', '--rerun-failed'];

/** What comes behind it is part of the names of tests, such as a path of the API. */
const NAMES_TESTS = /^(-g|--grep|-f|--fgrep)$/;

/**
 * Files that are named run in one process, in their order. Without any: everything but system and timing tests; or with
 * `--system` those two, the system tests several files at a time, as they mostly wait, and then those that measure time with the
 * machine to themselves; or with `--browser` those that drive a browser.
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
  const runs = args.includes('--system')
    ? [run(cores + 1, ...testFiles('system')), run(1, ...testFiles('timing'))]
    : [run(cores + 1, ...testFiles('usual'))];
  return { runs, needsBrowser: false, rerunsFailed };
}

function isFile(arg: string): boolean {
  return /^[^-].*(\.ts$|\/)/.test(arg);
}
