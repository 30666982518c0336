import type { TestFailure, Totals } from './run-mocha.ts';

/** If more files than this fail, it is not by chance: something is broken. */
const MOST_FILES = 6;

/** The totals after some files ran again. */
interface Rerun extends Totals {
  /** Tests that failed beside others, and passed when their file ran again alone. */
  flaky: TestFailure[];
}

/**
 * Runs the files of failed tests once more, alone. A file without a failure then counts as passed, and its first
 * failures as flaky. Nothing runs again if more than six files failed, or if a failure has no file, which means that
 * a process crashed.
 */
export async function rerunFailed(
  totals: Totals,
  run: (files: readonly string[]) => Promise<Totals>,
): Promise<Rerun> {
  const files = [...new Set(totals.failures.map(({ file }) => file))];
  const unknown = totals.failed - totals.failures.length;
  if (files.length === 0 || files.length > MOST_FILES || unknown > 0) return { ...totals, flaky: [] };
  const second = await run(files);
  if (second.failed > second.failures.length) return { ...totals, flaky: [] };
  const red = new Set(second.failures.map(({ file }) => file));
  const flaky = totals.failures.filter(({ file }) => !red.has(file));
  const failures = totals.failures.filter(({ file }) => red.has(file));
  return { passed: totals.passed + flaky.length, failed: failures.length, failures, flaky };
}
