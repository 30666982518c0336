import { availableParallelism } from 'node:os';

/** Which files mocha runs, and in how many processes. */
interface TestPlan {
  workers: number;
  mochaArguments: string[];
  needsBrowser: boolean;
}

const FILES = ['packages/*/{src,attacks}/**/*.test.ts', 'services/*/src/**/*.test.ts'];
const SYSTEM_FILES = ['packages/*/{src,attacks}/**/*.system.test.ts', 'services/*/src/**/*.system.test.ts'];
const BROWSER_FILES = ['packages/e2e/browser/**/*.test.ts'];

/**
 * Files that are named run in one process, in their order. Without any: everything but system tests, or with `--system`
 * those alone, one file at a time: they load the machine and hold it to bounds of time; or with `--browser` those that
 * drive a browser, one file on each core.
 */
export function planTests(args: readonly string[], cores = availableParallelism()): TestPlan {
  const options = args.filter((arg) => arg !== '--system' && arg !== '--browser');
  if (options.some((arg) => /^[^-].*(\.ts$|\/)/.test(arg)))
    return {
      workers: 1,
      mochaArguments: options,
      needsBrowser: options.some((arg) => arg.includes('e2e/browser')),
    };
  if (args.includes('--browser'))
    return { workers: cores, mochaArguments: [...options, ...BROWSER_FILES], needsBrowser: true };
  if (args.includes('--system'))
    return { workers: 1, mochaArguments: [...options, ...SYSTEM_FILES], needsBrowser: false };
  const mochaArguments = [...options, '--ignore', '**/*.system.test.ts', ...FILES];
  return { workers: cores + 1, mochaArguments, needsBrowser: false };
}
