import { fileURLToPath } from 'node:url';
import {
  ConfigError,
  createLimiter,
  NO_TRACING,
  spanning,
  Unavailable,
  type Limiter,
  type Log,
  type Tracing,
} from '@gatehouse/runtime';
import { Piscina } from 'piscina';
import { isMemoryHard, type Derivation } from './derivation.ts';
import { UnfinishedCheck } from './unfinished-check.ts';

/** A job waits this long at most … */
const WAIT_MS = 2500;
/** … and everything ends within this one, so that a request does within 5 s (promise 5). */
const TOTAL_MS = 4700;
/** A job that has begun is left so much time, whatever it has waited. */
const JOB_MS_MIN = 1500;
/** Waiting jobs per thread at cost 10, where one takes about 85 ms: the last waits some 2 s. */
const WAITING_PER_THREAD = 24;
/**
 * Hashes that take much memory, and are not as ours are made today: so many at once, and so many more that wait, as long
 * as the rest allows.
 */
const MEMORY_HARD = { width: 2, waitingMax: 24, waitMs: TOTAL_MS - WAIT_MS - JOB_MS_MIN };

/** What our own hash costs, for a wrong password to cost the same: bcrypt at a cost takes 2 to its power. */
export interface OwnWork {
  units: number;
  /** `undefined` for bcrypt. */
  derivation: Derivation | undefined;
}

/** What a comparison found, and the milliseconds that a thread worked for it. */
export interface Compared {
  isRight: boolean;
  milliseconds: number;
}

/** How a digest is derived and, where it is compared, with what. */
export interface DeriveJob {
  text: string;
  derivation: Derivation;
  /** The digest is stored as its HMAC under this key. */
  sealKey: Uint8Array | undefined;
  compared?: { expected: string; units: number; own: OwnWork };
  /** Whether our own hashes are made like this today: all logins need those, so they never take the narrow queue. */
  isCurrent: boolean;
}

/** Threads that hash, behind a bounded queue; jobs that they cannot do in time fail as `Unavailable`. */
export function createPasswordPool(options: {
  threads: number;
  cost: number;
  queueMax?: number;
  log: Log;
  tracing?: Tracing | undefined;
}) {
  const { threads, cost, log, tracing = NO_TRACING } = options;
  const waitingMax =
    options.queueMax ?? threads * Math.max(1, Math.round(WAITING_PER_THREAD * 2 ** (10 - cost)));
  const limit = createLimiter({ width: threads, waitingMax, waitMs: WAIT_MS });
  const narrow = createLimiter(MEMORY_HARD);
  const workers = startThreads(threads, log);

  async function run(name: 'hash' | 'hashWith' | 'compare' | 'derive', job: object, outer?: Limiter) {
    const begun = performance.now();
    let isInNarrow = false;
    let end: AbortSignal | undefined;
    const turn = (): Promise<unknown> => {
      isInNarrow = outer !== undefined;
      return limit(() => {
        // Ends a thread that hangs; a job that has begun has over a second for tens of milliseconds.
        end = AbortSignal.timeout(Math.max(JOB_MS_MIN, Math.ceil(begun + TOTAL_MS - performance.now())));
        return workers.run(job, { name, signal: end });
      });
    };
    try {
      return await spanning(tracing, tracing.part('hash', 'internal'), () =>
        outer === undefined ? turn() : outer(turn),
      );
    } catch (cause) {
      const wasBegun = end?.aborted === true;
      if (wasBegun || (outer !== undefined && !isInNarrow)) throw new UnfinishedCheck({ wasBegun, cause });
      throw new Unavailable('password hashing', { cause });
    }
  }

  return {
    /** Loads argon2, for hashes that need it. */
    prepare: () => loadArgon2(workers),
    /** bcrypt at a cost. */
    hash: async (text: string, bcryptCost: number): Promise<string> =>
      String(await run('hash', { text, cost: bcryptCost })),
    hashWith: async (text: string, salt: string): Promise<string> =>
      String(await run('hashWith', { text, salt })),
    /** Compares with a bcrypt hash; with a wrong text it takes at least our own work, if that is given. */
    compare: async (text: string, hash: string, own?: OwnWork): Promise<Compared> =>
      (await run('compare', { text, hash, own })) as Compared, // as password-worker.mjs answers
    derive: async ({ isCurrent, ...job }: DeriveJob): Promise<Compared & { result: string }> =>
      (await run(
        'derive',
        job,
        isMemoryHard(job.derivation) && !isCurrent ? narrow : undefined,
      )) as Compared & { result: string }, // as password-worker.mjs answers
    /** How many jobs the threads work on, and how many wait for one. */
    load: limit.load,
    close: (): Promise<void> => workers.destroy(),
  };
}

function startThreads(threads: number, log: Log): Piscina<object, unknown> {
  const workers = new Piscina<object, unknown>({
    filename: fileURLToPath(new URL('password-worker.mjs', import.meta.url)),
    minThreads: threads,
    maxThreads: threads,
    // Not the process's own flags: a thread that loads no TypeScript starts faster without its loader.
    execArgv: [],
  });
  workers.on('error', (error: unknown) =>
    log.error('password hashing thread failed, replacing it', { error }),
  );
  return workers;
}

/** @throws {ConfigError} where it has no native module. */
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
