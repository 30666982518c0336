import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import {
  ConfigError,
  createLimiter,
  networkOf,
  NO_TRACING,
  QueueFull,
  spanning,
  Unavailable,
} from '@gatehouse/runtime';
import type { Limiter, Log, Path, Tracing } from '@gatehouse/runtime';
import { isMemoryHard, type Derivation } from './derivation.ts';

/** The maximum time that a job waits … */
const WAIT_MS = 2500;
/** … and its maximum total time, so that the request is answered within 5 s (promise 5). */
const TOTAL_MS = 4700;
/** The minimum time that a started job has, however long it waited. */
const JOB_MS_MIN = 1500;
/** Waiting jobs per thread at cost 10, where a job takes about 85 ms: the last one waits about 2 s. */
const WAITING_PER_THREAD = 24;
/**
 * By how much the threads are nicer (nice(2)) than the process: they give way to the rest of it, and still get a quarter of
 * a core that another program keeps busy. With 10 it was a tenth, and logins were answered 503.
 */
export const THREAD_NICENESS = 5;
/** How often clients are told that they have no place. */
const REFUSALS_MS = 1000;
/** For hashes that need much memory and do not have our current settings; the wait is within the total time. */
const MEMORY_HARD = { width: 2, waitingMax: 24, waitMs: TOTAL_MS - WAIT_MS - JOB_MS_MIN };

/** The work of our own hash, so that a wrong password costs the same. One unit is bcrypt at cost 0: cost n has 2^n. */
export interface OwnWork {
  units: number;
  /** `undefined` for bcrypt. */
  derivation: Derivation | undefined;
}

/** The result of a comparison, and the milliseconds that a thread worked for it. */
export interface Compared {
  isRight: boolean;
  milliseconds: number;
}

/** How a digest is derived and, for a comparison, the expected value. */
export interface DeriveJob {
  text: string;
  derivation: Derivation;
  /** If given, the digest is stored as its HMAC under this key. */
  sealKey: Uint8Array | undefined;
  compared?: { expected: string; units: number; own: OwnWork };
  /** Whether it has our current settings: all logins need such hashes, so they never use the narrow queue. */
  isCurrent: boolean;
}

/**
 * A password check was not finished because of the cost of the account's hash. Unlike checks that are refused because
 * of the load of others, it counts as a failure of the client: it can be caused on purpose, and reveals something
 * about the account.
 */
export class UnfinishedCheck extends Unavailable {
  override name = 'UnfinishedCheck';
  /** Whether a thread worked on it until the time limit; otherwise it waited in the narrow queue. */
  readonly wasBegun: boolean;

  constructor({ wasBegun, cause }: { wasBegun: boolean; cause: unknown }) {
    super('password hashing', { cause });
    this.wasBegun = wasBegun;
  }
}

export type PoolView = ReturnType<ReturnType<typeof createPasswordPool>['from']>;

/**
 * Threads that hash, behind a bounded queue in which networks take turns, and so do the address groups of a network:
 * one of them alone cannot delay the logins of all others. Jobs that the threads cannot finish in time fail as
 * `Unavailable`.
 */
export function createPasswordPool(options: {
  threads: number;
  cost: number;
  queueMax?: number;
  /** Of the threads; by default `THREAD_NICENESS`. */
  niceness?: number | undefined;
  log: Log;
  tracing?: Tracing | undefined;
}) {
  const { threads, cost, niceness = THREAD_NICENESS, log, tracing = NO_TRACING } = options;
  const waitingMax =
    options.queueMax ?? threads * Math.max(1, Math.round(WAITING_PER_THREAD * 2 ** (10 - cost)));
  const limit = createLimiter({ width: threads, waitingMax, waitMs: WAIT_MS });
  const narrow = createLimiter(MEMORY_HARD);
  const workers = startThreads({ threads, niceness, log });
  const run = createRun({ workers, limit, tracing });
  let refusals: Promise<void> | undefined;
  const requirePlace = async (path: Path | undefined): Promise<void> => {
    if (limit.hasPlace(path)) return;
    await (refusals ??= sleep(REFUSALS_MS, undefined, { ref: false }).then(() => (refusals = undefined)));
    throw new Unavailable('password hashing', { cause: new QueueFull('the queue is full') });
  };
  const from = (addressGroup: string | undefined) => {
    const path: Path | undefined =
      addressGroup === undefined ? undefined : [networkOf(addressGroup), addressGroup];
    return { ...hashing(run, path, narrow), requirePlace: () => requirePlace(path) };
  };

  return {
    ...from(undefined),
    /** Hashes for a client of this address group, or for the installation itself. */
    from,
    prepare: () => loadArgon2(workers),
    load: limit.load,
    close: (): Promise<void> => workers.destroy(),
  };
}

function hashing(run: Run, path: Path | undefined, narrow: Limiter) {
  return {
    hash: async (text: string, bcryptCost: number) =>
      String(await run('hash', { text, cost: bcryptCost }, path)),
    /** Compares with a bcrypt hash; a wrong text costs at least our own work, if that is given. */
    compare: async (text: string, hash: string, own?: OwnWork) =>
      (await run('compare', { text, hash, own }, path)) as Compared, // as password-worker.mjs answers
    derive: async ({ isCurrent, ...job }: DeriveJob) =>
      (await run(
        'derive',
        job,
        path,
        isMemoryHard(job.derivation) && !isCurrent ? narrow : undefined,
      )) as Compared & { result: string }, // as password-worker.mjs answers
  };
}

type Run = ReturnType<typeof createRun>;

/** Runs a job on a thread, after its turn in `limit`, and in `outer` before that. */
function createRun(parts: { workers: Piscina<object, unknown>; limit: Limiter; tracing: Tracing }) {
  const { workers, limit, tracing } = parts;
  return async (
    name: 'hash' | 'compare' | 'derive',
    job: object,
    path: Path | undefined,
    outer?: Limiter,
  ): Promise<unknown> => {
    const begun = performance.now();
    let isInNarrow = false;
    let end: AbortSignal | undefined;
    const turn = (answer: (result: Promise<unknown>) => void): Promise<void> => {
      isInNarrow = outer !== undefined;
      return limit(() => {
        // Ends a thread that hangs: a started job has more than a second for tens of milliseconds of work.
        end = AbortSignal.timeout(Math.max(JOB_MS_MIN, Math.ceil(begun + TOTAL_MS - performance.now())));
        const { result, isDone } = runToEnd(workers, job, { name, signal: end });
        answer(result);
        return isDone;
      }, path);
    };
    const answered = () =>
      new Promise((answer, refuse) => {
        const ended = outer === undefined ? turn(answer) : outer(() => turn(answer), path);
        ended.catch(refuse);
      });
    try {
      return await spanning(tracing, tracing.part('hash', 'internal'), answered);
    } catch (cause) {
      const wasBegun = end?.aborted === true;
      if (wasBegun || (outer !== undefined && !isInNarrow)) throw new UnfinishedCheck({ wasBegun, cause });
      throw new Unavailable('password hashing', { cause });
    }
  };
}

/**
 * `isDone` resolves once the thread is free again or has ended. After an abort that is later than the result: native
 * code (argon2, scrypt) continues until it has finished, and keeps its memory. Releasing its place earlier would let
 * more of them run at once than there are threads.
 */
function runToEnd(
  workers: Piscina<object, unknown>,
  job: object,
  { name, signal }: { name: string; signal: AbortSignal },
): { result: Promise<unknown>; isDone: Promise<void> } {
  let before: readonly Worker[] = [];
  // Registered before Piscina's own listener, which replaces the thread at once.
  signal.addEventListener('abort', () => (before = workers.threads), { once: true });
  const result = workers.run(job, { name, signal });
  const isDone = async (): Promise<void> => {
    await Promise.allSettled([result]);
    const removed = before.filter((thread) => !workers.threads.includes(thread));
    await Promise.all(removed.map(endOf));
  };
  return { result, isDone: isDone() };
}

function endOf(thread: Worker): Promise<unknown> {
  return new Promise((resolve) => thread.once('exit', resolve));
}

function startThreads(options: { threads: number; niceness: number; log: Log }): Piscina<object, unknown> {
  const { threads, niceness, log } = options;
  const workers = new Piscina<object, unknown>({
    filename: fileURLToPath(new URL('password-worker.mjs', import.meta.url)),
    // Starting a thread takes 30 ms of processor time and 9 MB. The others start when jobs wait for them, and stay.
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: Infinity,
    workerData: { niceness },
    // Without the process's own flags: a thread that loads no TypeScript starts faster without its loader.
    execArgv: [],
  });
  workers.on('error', (error: unknown) =>
    log.error('password hashing thread failed, replacing it', { error }),
  );
  return workers;
}

/** @throws {ConfigError} if the native module is not available. */
async function loadArgon2(workers: Piscina<object, unknown>): Promise<void> {
  try {
    await workers.run({}, { name: 'prepare' });
  } catch (cause) {
    const platform = `${process.platform} ${process.arch}`;
    throw new ConfigError(
      `PASSWORD_HASH is argon2id, but the native module of @node-rs/argon2 does not load on ${platform}: set bcrypt, or install it for this platform`,
      { cause },
    );
  }
}
