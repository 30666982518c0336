import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../processes/node-process.ts';
import { marked, stopLeftRunning } from '../processes/left-running.ts';

/** A test, or a hook of one, that failed. */
export interface TestFailure {
  /** From the root of the repository. */
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
 * Runs mocha in a process of its own, so that a crash is seen for what it is, with one worker for each environment.
 * Its totals come by a file that the reporter writes at the end; without it, or with a bad exit code and no failure,
 * one failure is counted.
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

/** That of .mocharc.json but for its files, which mocha would add to those of the plan. */
function configWithoutFiles(folder: string): string {
  const { spec: _, ...rest } = JSON.parse(readFileSync(join(ROOT, '.mocharc.json'), 'utf8')) as {
    spec: unknown;
  };
  const file = join(folder, 'mocharc.json');
  writeFileSync(file, JSON.stringify(rest));
  return file;
}

/** Mocha ends by itself when no test left anything open; one that does not end after its last test is killed. */
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
    return JSON.parse(readFileSync(file, 'utf8')) as Totals; // the reporter's own words
  } catch {
    return undefined;
  }
}
