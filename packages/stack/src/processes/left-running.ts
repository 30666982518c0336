import { readdirSync, readFileSync } from 'node:fs';

const MARK = 'GATEHOUSE_TEST_RUN';

/** The environment of processes that `stopLeftRunning` is to find again, and of all that they start. */
export function marked(run: string): Record<string, string> {
  return { [MARK]: run };
}

/** That of the run that this process belongs to, for processes that get an environment of their own. */
export function inheritedMark(): Record<string, string> {
  const run = process.env[MARK];
  return run === undefined ? {} : marked(run);
}

/**
 * Kills every process of that run that is still there, and says what they were. One that a killed test left behind would
 * go on for ever, and keep the output open for which continuous integration waits. Only Linux tells the environment of
 * processes; elsewhere nothing is found.
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
      // It has ended in the meantime, or belongs to another user.
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
