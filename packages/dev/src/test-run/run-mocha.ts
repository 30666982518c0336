import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../command.ts';
import { marked, stopLeftRunning } from '../processes/leftovers.ts';

/** A failed test or hook. */
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

const LEAK_MS = 15_000;

/**
 * Runs mocha in a separate process, so that a crash can be recognised, with one worker per environment. Its reporter
 * writes the totals to a file at the end. If the file is missing, or the exit code is bad without a failure, one
 * failure is counted.
 */
export async function runMocha(
  args: string[],
  environments: readonly NodeJS.ProcessEnv[],
  cancel: AbortSignal,
): Promise<Totals> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mocha-'));
  const totalsFile = join(folder, 'totals.json');
  const mocha = join(
    dirname(createRequire(join(ROOT, 'package.json')).resolve('mocha/package.json')),
    'bin/mocha.js',
  );
  const reporter = fileURLToPath(new URL('totals-reporter.cjs', import.meta.url));
  const child = spawn(
    process.execPath,
    [
      mocha,
      '--config',
      configWithoutFiles(folder),
      ...(environments.length > 1 ? ['--parallel', '--jobs', String(environments.length)] : []),
      '--require',
      fileURLToPath(new URL('worker-servers.cjs', import.meta.url)),
      '--reporter',
      reporter,
      '--reporter-option',
      `totals=${totalsFile}`,
      ...args,
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        ...marked(folder),
        TEST_SERVERS: JSON.stringify(environments),
      },
    },
  );
  const kill = (): void => void child.kill('SIGKILL');
  cancel.addEventListener('abort', kill);
  if (cancel.aborted) kill();
  const leak = watchForLeak(totalsFile, kill);
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearInterval(leak);
  for (const left of stopLeftRunning(folder))
    process.stderr.write(`✗ A test left a process running: ${left}\n`);
  const totals = read(totalsFile) ?? { passed: 0, failed: 1, failures: [] };
  rmSync(folder, { recursive: true, force: true });
  return status === 0 || totals.failed > 0 ? totals : { ...totals, failed: 1 };
}

/** The configuration of .mocharc.json without its files, which mocha would add to those of the plan. */
function configWithoutFiles(folder: string): string {
  const { spec: _, ...rest } = JSON.parse(readFileSync(join(ROOT, '.mocharc.json'), 'utf8')) as {
    spec: unknown;
  };
  const file = join(folder, 'mocharc.json');
  writeFileSync(file, JSON.stringify(rest));
  return file;
}

/** Mocha exits by itself unless a test left something open. If it does not exit after its last test, it is killed. */
function watchForLeak(totalsFile: string, kill: () => void): NodeJS.Timeout {
  let finishedAt: number | undefined;
  return setInterval(() => {
    if (finishedAt === undefined && read(totalsFile) !== undefined) finishedAt = Date.now();
    if (finishedAt === undefined || Date.now() - finishedAt < LEAK_MS) return;
    process.stderr.write('✗ The tests have finished, but one left something open (a socket or a timer).\n');
    kill();
  }, 500);
}

function read(file: string): Totals | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Totals; // written by our reporter
  } catch {
    return undefined;
  }
}

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
