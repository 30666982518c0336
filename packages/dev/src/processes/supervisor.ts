import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fchownSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Cancelled, StackError, until } from '../command.ts';
import { cleanUp, inheritedMark, killProcessGroup, record, removeRecord, signal } from './leftovers.ts';
import type { Command } from './leftovers.ts';

export interface User {
  uid: number;
  gid: number;
}

export interface ManagedProcess {
  /** The name used in output, in the log file name and in the record. */
  name: string;
  command: string;
  args: readonly string[];
  /** The complete environment. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  user?: User | undefined;
  /** Whether the process can work. Called repeatedly, so it must resolve within one or two seconds. */
  isReady: () => Promise<boolean>;
  /** 60 by default. */
  readySeconds?: number;
  /** The signal that asks the process to finish its work and exit; by default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** The signal that stops it immediately, without protecting its data; by default SIGKILL. */
  abortSignal?: NodeJS.Signals;
  /** A command that stops what the process leaves behind. */
  afterStop?: Command;
}

const DEFAULTS = { readySeconds: 60, stopSignal: 'SIGTERM', abortSignal: 'SIGKILL' } as const;
type Managed = ManagedProcess & Required<Pick<ManagedProcess, keyof typeof DEFAULTS>>;

interface Running {
  managed: Managed;
  child: ChildProcess;
  pid: number;
  startedAt: number;
  /** True once the process was ready. From then on it is started again whenever it dies. */
  kept: boolean;
  /** How often in a row it died soon after its start. */
  deaths: number;
  timer?: NodeJS.Timeout;
}

/** How Node, nginx, Postgres, Redis and Erlang report a port that is taken, maybe only since a moment ago. */
const PORT_TAKEN = /EADDRINUSE|address already in use/i;
const STOP_MS = 15_000;
const STEADY_MS = 20_000;
const DELAY_MIN_MS = 200;
const DELAY_MAX_MS = 15_000;

/** Starts processes, restarts them when they die, and stops them in reverse order. */
export class Supervisor {
  #running: Running[] = [];
  #stopping = false;
  readonly #records: string;
  readonly #logs: string;
  readonly #say: (line: string) => void;
  /** Called when a process gets a new process id. */
  onChange: (() => void) | undefined;

  /** `directory` gets the folders of records (`run`) and `logs`. */
  constructor(directory: string, say: (line: string) => void) {
    this.#records = join(directory, 'run');
    this.#logs = join(directory, 'logs');
    this.#say = say;
    for (const folder of [this.#records, this.#logs]) mkdirSync(folder, { recursive: true });
  }

  /**
   * Starts the process and waits until it is ready.
   *
   * @throws {StackError} with the end of its log if it dies or does not become ready in time.
   * @throws {Cancelled} if everything is stopped meanwhile.
   */
  async start(given: ManagedProcess): Promise<void> {
    if (this.#stopping) throw new Cancelled();
    const managed = { ...DEFAULTS, ...given };
    const logStart = statSync(this.logFile(managed.name), { throwIfNoEntry: false })?.size ?? 0;
    const running: Running = { managed, ...this.#spawn(managed), kept: false, deaths: 0 };
    this.#running.push(running);
    this.#watch(running);
    const outcome = await this.#untilReady(running);
    if (outcome === 'stopped') throw new Cancelled();
    if (outcome !== 'ready') throw this.#failure(managed, logStart, outcome);
    running.kept = true;
  }

  /** Sends a signal to the process. If it dies of it, it is started again. */
  kill(name: string, how: NodeJS.Signals = 'SIGKILL'): void {
    signal(this.#find(name).pid, how);
  }

  /** Kills the process, as a crash would, and keeps it stopped until `release`. */
  async hold(name: string): Promise<void> {
    const running = this.#find(name);
    await end(running, running.managed.abortSignal);
  }

  /** Starts a process that `hold` has stopped, and waits until it is ready. */
  async release(name: string): Promise<void> {
    const running = this.#find(name);
    running.kept = true;
    await this.#again(running);
  }

  /** Lets the process finish, and starts it again, with other arguments if given. Resolves when it is ready. */
  async restart(name: string, args?: readonly string[]): Promise<void> {
    const running = this.#find(name);
    await end(running, running.managed.stopSignal);
    if (args !== undefined) running.managed = { ...running.managed, args };
    await this.release(name);
  }

  /** Runs a program from the process's program folder, in its environment and as its user, for at most 30 s. */
  async runCompanion(name: string, program: string, args: readonly string[]): Promise<void> {
    const { command, env, cwd, user } = this.#find(name).managed;
    await promisify(execFile)(join(dirname(command), program), args, {
      env,
      cwd,
      timeout: 30_000,
      ...user,
    });
  }

  /** All processes in the order in which they were started. */
  processes(): { name: string; pid: number; log: string }[] {
    return this.#running.map(({ managed: { name }, pid }) => ({ name, pid, log: this.logFile(name) }));
  }

  logFile(name: string): string {
    return join(this.#logs, `${name}.log`);
  }

  /** Stops everything in reverse order. `abrupt` stops at once, without protecting the data. */
  async stop(options: { abrupt?: boolean } = {}): Promise<void> {
    this.#stopping = true;
    for (const running of this.#running.toReversed()) {
      const { managed, pid } = running;
      const forced = setTimeout(() => killProcessGroup(pid), STOP_MS);
      await end(running, options.abrupt === true ? managed.abortSignal : managed.stopSignal);
      clearTimeout(forced);
      cleanUp(managed.afterStop);
      removeRecord(this.#records, managed.name);
    }
    this.#running = [];
  }

  /** In a separate session, so that Ctrl-C reaches only the launcher, which stops everything in order. */
  #spawn(managed: Managed): Pick<Running, 'child' | 'pid' | 'startedAt'> {
    const log = openSync(this.logFile(managed.name), 'a', 0o640);
    // The process may reopen its standard output by name, as nginx does.
    if (managed.user !== undefined) fchownSync(log, managed.user.uid, managed.user.gid);
    const child = spawn(managed.command, managed.args, {
      cwd: managed.cwd,
      env: { ...managed.env, ...inheritedMark() },
      stdio: ['ignore', log, log],
      detached: true,
      ...managed.user,
    }).once('error', () => {}); // it then has no process id
    closeSync(log);
    const { pid } = child;
    if (pid === undefined)
      throw new StackError(`${managed.name} cannot be started`, `Is ${managed.command} executable?`);
    record(this.#records, managed, pid);
    return { child, pid, startedAt: Date.now() };
  }

  #watch(running: Running): void {
    const { managed, child, pid } = running;
    child.once('exit', (code, name) => {
      killProcessGroup(pid);
      if (!this.#stopping && running.kept)
        this.#schedule(running, `${managed.name} ended (${name ?? `exit code ${code}`})`);
    });
  }

  #schedule(running: Running, what: string): void {
    running.deaths = Date.now() - running.startedAt > STEADY_MS ? 0 : running.deaths + 1;
    const delay = Math.min(DELAY_MIN_MS * 2 ** running.deaths, DELAY_MAX_MS);
    const when = delay < 1000 ? '' : ` in ${Math.round(delay / 1000)} s`;
    this.#say(`! ${what}; restarting${when}`);
    running.timer = setTimeout(() => {
      this.#again(running).catch((error: unknown) => this.#schedule(running, String(error)));
    }, delay);
  }

  async #again(running: Running): Promise<void> {
    const { name } = running.managed;
    Object.assign(running, this.#spawn(running.managed));
    this.#watch(running);
    this.onChange?.();
    const outcome = await this.#untilReady(running);
    if (outcome === 'ready') this.#say(`✓ ${name} is running again (process ${running.pid})`);
    if (outcome === 'late')
      this.#say(`! ${name} is running again but is not ready; see ${this.logFile(name)}`);
  }

  async #untilReady({ managed, child }: Running): Promise<'ready' | 'ended' | 'late' | 'stopped'> {
    const isDecided = async (): Promise<boolean> =>
      (await managed.isReady()) || this.#stopping || hasEnded(child);
    const isInTime = await until(isDecided, managed.readySeconds);
    if (this.#stopping) return 'stopped';
    if (hasEnded(child)) return 'ended';
    return isInTime ? 'ready' : 'late';
  }

  #find(name: string): Running {
    const running = this.#running.find(({ managed }) => managed.name === name);
    if (running === undefined) throw new Error(`no process is called ${name}`);
    return running;
  }

  /** `logStart`: where the log of this start begins. */
  #failure(managed: Managed, logStart: number, outcome: 'ended' | 'late'): StackError {
    const file = this.logFile(managed.name);
    const lines = readFileSync(file).subarray(logStart).toString().trimEnd().split('\n').slice(-15);
    if (outcome === 'ended' && PORT_TAKEN.test(lines.join('\n'))) {
      return new StackError(
        `${managed.name} cannot listen: another process took its port`,
        `Try again. If the problem remains, move all ports: PORT_BASE=20000 npm start (log: ${file})`,
      );
    }
    const what =
      outcome === 'ended' ? 'ended while it was starting' : `was not ready within ${managed.readySeconds} s`;
    return new StackError(
      `${managed.name} ${what}; end of its log:\n${lines.join('\n')}`,
      `Full log: ${file}`,
    );
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Ends the process for good: it is not started again. */
async function end(running: Running, how: NodeJS.Signals): Promise<void> {
  running.kept = false;
  clearTimeout(running.timer);
  if (hasEnded(running.child)) return;
  const exit = once(running.child, 'exit');
  signal(running.pid, how);
  // A stopped (SIGSTOP) process does not react to SIGTERM.
  signal(running.pid, 'SIGCONT');
  await exit;
}

/** `Promise.all` that rejects only when all have settled: who then stops everything knows all that was started. */
export async function allEnded<T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
