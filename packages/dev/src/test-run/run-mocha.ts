import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../command.ts';
import { marked, stopLeftRunning } from '../processes/leftovers.ts';

export interface TestFailure {
  /** The path from the root of the repository. */
  file: string;
  name: string;
  /** The first line of the error. */
  reason: string;
}

export interface Totals {
  passed: number;
  failed: number;
  /** Fewer than `failed` if the process ended without a report. */
  failures: TestFailure[];
}

const MOCHA = createRequire(join(ROOT, 'package.json')).resolve('mocha/bin/mocha.js');
/** Mocha would add the files that .mocharc.json names for other tools. */
const CONFIG = fileURLToPath(new URL('mocha.json', import.meta.url));
const LEAK_MS = 15_000;

/**
 * Runs mocha as mocha.json says, in a separate process, so that a crash can be recognised, with one worker per
 * environment. Its reporter sends the totals. If it sends none, or the exit code is bad without a failure, one failure
 * is counted.
 */
export async function runMocha(
  args: string[],
  environments: readonly NodeJS.ProcessEnv[],
  cancel: AbortSignal,
): Promise<Totals> {
  const run = randomUUID();
  const parallel = environments.length > 1 ? ['--parallel', '--jobs', String(environments.length)] : [];
  const mocha = fork(MOCHA, ['--config', CONFIG, ...parallel, ...args], {
    cwd: ROOT,
    execArgv: ['--import=tsx', '--max-semi-space-size=64'],
    env: { ...process.env, ...marked(run), TEST_SERVERS: JSON.stringify(environments) },
    signal: cancel,
    killSignal: 'SIGKILL',
  });
  let totals: Totals = { passed: 0, failed: 1, failures: [] };
  let leak: NodeJS.Timeout | undefined;
  mocha.once('message', (sent) => {
    totals = sent as Totals; // by our reporter
    // Mocha exits by itself unless a test left something open.
    leak = setTimeout(() => {
      process.stderr.write('✗ The tests have finished, but one left something open (a socket or a timer).\n');
      mocha.kill('SIGKILL');
    }, LEAK_MS);
  });
  const [status] = await once(mocha, 'close').catch(() => []);
  clearTimeout(leak);
  for (const left of stopLeftRunning(run)) process.stderr.write(`✗ A test left a process running: ${left}\n`);
  return status === 0 || totals.failed > 0 ? totals : { ...totals, failed: 1 };
}

/** If more files than this fail, it is not by chance: something is broken. */
const MOST_FILES = 6;

/**
 * Runs the files of failed tests once more, alone. A file without a failure then counts as passed, and its first
 * failures as flaky. Nothing runs again if more than six files failed, or if a failure has no file, which means that
 * a process crashed.
 */
export async function rerunFailed(
  totals: Totals,
  run: (files: readonly string[]) => Promise<Totals>,
): Promise<Totals & { flaky: TestFailure[] }> {
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
