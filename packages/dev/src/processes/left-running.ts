import { readdirSync, readFileSync } from 'node:fs';

const MARK = 'GATEHOUSE_TEST_RUN';

/** The environment that marks processes, and their child processes, so that `stopLeftRunning` can find them. */
export function marked(run: string): Record<string, string> {
  return { [MARK]: run };
}

/** The mark of this process, for child processes that get a separate environment. */
export function inheritedMark(): Record<string, string> {
  const run = process.env[MARK];
  return run === undefined ? {} : marked(run);
}

/**
 * Kills every process of that run that still exists, and returns what they were. A process left behind by a killed
 * test would run forever and keep the output open that CI waits for. Only Linux shows the environment of processes; on
 * other systems nothing is found.
 */
export function stopLeftRunning(run: string): string[] {
  const stopped: string[] = [];
  for (const pid of processes()) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (!environment.includes(`${MARK}=${run}`)) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      process.kill(pid, 'SIGKILL');
      stopped.push(`${pid} ${command}`);
    } catch {
      // The process has already ended, or belongs to another user.
    }
  }
  return stopped;
}

function processes(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}
