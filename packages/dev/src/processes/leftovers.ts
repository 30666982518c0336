import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { StackError, until } from '../command.ts';

export interface Command {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** What a launcher records about each process that it starts. The next launcher needs it if this one is killed. */
interface RunRecord {
  name: string;
  pid: number;
  identity: string;
  stopSignal: NodeJS.Signals;
  afterStop?: Command | undefined;
}

const LAUNCHER = 'launcher.json';
const STOP_SECONDS = 15;

/** Records that `pid` belongs to this launcher. A process that has already ended leaves no record. */
export function record(
  folder: string,
  { name, stopSignal, afterStop }: Pick<RunRecord, 'name' | 'stopSignal' | 'afterStop'>,
  pid: number,
): void {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  const entry = { name, pid, identity, stopSignal, afterStop };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(entry), { mode: 0o600 });
}

export function removeRecord(folder: string, name: string): void {
  rmSync(join(folder, `${name}.json`), { force: true });
}

/** Claims the folder; the result releases it. @throws {StackError} if another running launcher has claimed it. */
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

export function launcherOf(folder: string): number | undefined {
  const launcher = read(join(folder, LAUNCHER));
  return launcher !== undefined && isAlive(launcher) ? launcher.pid : undefined;
}

/** Stops what a killed launcher left running, in the reverse order of its start. Returns the names. */
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

/** While no launcher can start, whose processes would look like leftovers. @throws {StackError} if one runs here. */
export async function stopUnclaimed(folder: string): Promise<string[]> {
  const release = claim(folder);
  return await stopLeftovers(folder).finally(release);
}

/** Runs the command that must follow the end of a process, for example to stop a helper that it left behind. */
export function cleanUp(afterStop: Command | undefined): void {
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
  const hasEnded = (): boolean => !isAlive(entry);
  if (await until(hasEnded, STOP_SECONDS)) return;
  signal(entry.pid, 'SIGKILL');
  await until(hasEnded, Infinity);
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

/** Tells a process from a later one with its id: boot and start time; `undefined` if no such process runs. */
function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses. The name itself may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${started}`;
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = (stdout ?? '').trim();
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}

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
  if (process.platform !== 'linux') return stopped;
  for (const pid of readdirSync('/proc').map(Number)) {
    if (Number.isNaN(pid) || pid === process.pid) continue;
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
