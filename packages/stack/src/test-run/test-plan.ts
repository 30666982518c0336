import { availableParallelism } from 'node:os';

/** Which files mocha runs, and in how many processes. */
interface TestPlan {
  workers: number;
  mochaArguments: string[];
}

const FILES = ['packages/*/{src,attacks}/**/*.test.ts', 'services/*/src/**/*.test.ts'];
const SYSTEM_FILES = ['packages/*/{src,attacks}/**/*.system.test.ts', 'services/*/src/**/*.system.test.ts'];

/**
 * Files that are named run in one process, in their order. Without any: everything but system tests, or with `--system`
 * those alone, one file at a time: they load the machine and hold it to bounds of time.
 */
export function planTests(args: readonly string[], cores = availableParallelism()): TestPlan {
  const options = args.filter((arg) => arg !== '--system');
  if (options.some((arg) => /^[^-].*(\.ts$|\/)/.test(arg))) return { workers: 1, mochaArguments: options };
  if (options.length < args.length) return { workers: 1, mochaArguments: [...options, ...SYSTEM_FILES] };
  return { workers: cores + 1, mochaArguments: [...options, '--ignore', '**/*.system.test.ts', ...FILES] };
}
