import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './node-process.ts';
import type { Servers } from './servers.ts';

export interface Totals {
  passed: number;
  failed: number;
}

const LEAK_MS = 15_000;

/**
 * Runs mocha in a process of its own, so that a crash is seen for what it is. Its totals come by a file that
 * the reporter writes at the end; without it, or with a bad exit code and no failure, one failure is counted.
 */
export async function runMocha(args: string[], servers: Servers, cancel: AbortSignal): Promise<Totals> {
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
      ...config(args, folder),
      '--fail-zero',
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
        TEST_POSTGRES_URL: servers.postgresUrl,
        TEST_REDIS_URL: servers.redisUrl,
        TEST_AMQP_URL: servers.amqpUrl,
        TEST_SMTP_URL: servers.smtpUrl,
        TEST_MAIL_URL: servers.mailUrl,
      },
    },
  );
  const kill = (): void => void child.kill('SIGKILL');
  cancel.addEventListener('abort', kill);
  if (cancel.aborted) kill();
  const leak = watchForLeak(totalsFile, kill);
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearInterval(leak);
  const totals = read(totalsFile) ?? { passed: 0, failed: 1 };
  rmSync(folder, { recursive: true, force: true });
  return status === 0 || totals.failed > 0 ? totals : { ...totals, failed: 1 };
}

/** Files that are named replace those of .mocharc.json, where mocha itself would add them. */
function config(args: string[], folder: string): string[] {
  if (!args.some((arg) => /^[^-].*(\.ts$|\/)/.test(arg))) return [];
  const { spec: _, ...rest } = JSON.parse(readFileSync(join(ROOT, '.mocharc.json'), 'utf8')) as {
    spec: unknown;
  };
  const file = join(folder, 'mocharc.json');
  writeFileSync(file, JSON.stringify(rest));
  return ['--config', file];
}

/** Mocha ends by itself when no test left anything open; one that does not end after its last test is killed. */
function watchForLeak(totalsFile: string, kill: () => void): NodeJS.Timeout {
  let finishedAt: number | undefined;
  return setInterval(() => {
    if (finishedAt === undefined && read(totalsFile) !== undefined) finishedAt = Date.now();
    if (finishedAt === undefined || Date.now() - finishedAt < LEAK_MS) return;
    process.stderr.write('✗ The tests are over, but one of them left something open (a socket, a timer).\n');
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
