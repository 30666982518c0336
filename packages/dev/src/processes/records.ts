import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { ManagedProcess } from './managed-process.ts';
import { processIdentity } from './process-identity.ts';
import { StackError } from '../output/stack-error.ts';

/** What a launcher records about each process that it starts. The next launcher needs it if this one is killed. */
interface RunRecord {
  name: string;
  pid: number;
  identity: string;
  stopSignal: NodeJS.Signals;
  afterStop?: ManagedProcess['afterStop'];
}

const LAUNCHER = 'launcher.json';
const STOP_MS = 15_000;

/** Records that `pid` belongs to this launcher. A process that has already ended leaves no record. */
export function record(
  folder: string,
  managed: Pick<ManagedProcess, 'name' | 'stopSignal' | 'afterStop'>,
  pid: number,
): void {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  const { name, stopSignal, afterStop } = managed;
  const entry: RunRecord = {
    name,
    pid,
    identity,
    stopSignal,
    ...(afterStop === undefined ? {} : { afterStop }),
  };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(entry), { mode: 0o600 });
}

/** Removes the record of a process that was stopped. */
export function removeRecord(folder: string, name: string): void {
  rmSync(join(folder, `${name}.json`), { force: true });
}

/**
 * Claims the folder for this launcher. The returned function releases it.
 *
 * @throws {StackError} if another running launcher has claimed it.
 */
export function claim(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, LAUNCHER);
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  for (;;) {
    try {
      // Exclusive: if two launchers start at once, one fails.
      writeFileSync(file, mine, { mode: 0o600, flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const other = launcherOf(folder);
    if (other !== undefined) {
      throw new StackError(
        `A stack is already running from this folder (process ${other})`,
        'Stop it first, or start a second stack from another clone with its own PORT_BASE.',
      );
    }
    rmSync(file, { force: true });
  }
}

/** The process id of the launcher that runs from this folder. */
export function launcherOf(folder: string): number | undefined {
  const launcher = read(join(folder, LAUNCHER));
  return launcher !== undefined && isAlive(launcher) ? launcher.pid : undefined;
}

/**
 * Stops the processes that a killed launcher left running, in the reverse order of their start. Returns their names.
 */
export async function stopLeftovers(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const stopped: string[] = [];
  const records = readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== LAUNCHER)
    .flatMap((name) => read(join(folder, name)) ?? [])
    .toSorted((a, b) => b.pid - a.pid);
  for (const entry of records) {
    if (isAlive(entry)) {
      stopped.push(entry.name);
      await end(entry);
    }
    // After a reboot the process group with this number is a different one.
    if (isOfThisBoot(entry)) killProcessGroup(entry.pid);
    cleanUp(entry.afterStop);
    removeRecord(folder, entry.name);
  }
  return stopped;
}

/** Runs the command that must follow the end of a process, for example to stop a helper that it left behind. */
export function cleanUp(afterStop: ManagedProcess['afterStop']): void {
  if (afterStop === undefined) return;
  spawnSync(afterStop.command, afterStop.args, { env: { ...process.env, ...afterStop.env }, timeout: 5000 });
}

/** Sends a signal to the process. If it has already ended, nothing happens. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills the remaining processes of a group: nginx's workers outlive a killed master. */
export function killProcessGroup(leader: number): void {
  signal(-leader, 'SIGKILL');
}

async function end(entry: RunRecord): Promise<void> {
  signal(entry.pid, entry.stopSignal);
  const deadline = Date.now() + STOP_MS;
  while (isAlive(entry)) {
    if (Date.now() > deadline) signal(entry.pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isAlive(entry: Pick<RunRecord, 'pid' | 'identity'>): boolean {
  return processIdentity(entry.pid) === entry.identity;
}

function isOfThisBoot(entry: RunRecord): boolean {
  const boot = (identity: string | undefined): string | undefined => identity?.split(':')[0];
  return process.platform === 'linux' && boot(entry.identity) === boot(processIdentity(process.pid));
}

/** Returns undefined for a record that was cut short by a crash. */
function read(file: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord; // written by `record`
  } catch {
    return undefined;
  }
}
