import { fileURLToPath } from 'node:url';
import { createLimiter, Unavailable, type Log } from '@gatehouse/runtime';
import { Piscina } from 'piscina';

/** A job waits this long at most … */
const WAIT_MS = 2500;
/** … and everything ends within this one, so that a request does within 5 s (promise 5). */
const TOTAL_MS = 4700;
/** Waiting jobs per thread at cost 10, where one takes about 85 ms: the last waits some 2 s. */
const WAITING_PER_THREAD = 24;

/** What a comparison found, and the milliseconds that a thread worked for it. */
interface Compared {
  isRight: boolean;
  milliseconds: number;
}

/** Threads for bcrypt behind a bounded queue; jobs that they cannot do in time fail as `Unavailable`. */
export function createPasswordPool(options: { threads: number; cost: number; queueMax?: number; log: Log }) {
  const { threads, cost, log } = options;
  const waitingMax =
    options.queueMax ?? threads * Math.max(1, Math.round(WAITING_PER_THREAD * 2 ** (10 - cost)));
  const limit = createLimiter({ width: threads, waitingMax, waitMs: WAIT_MS });
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

  async function run(name: 'hash' | 'hashWith' | 'compare', job: object): Promise<unknown> {
    const begun = performance.now();
    try {
      return await limit(() => {
        // Ends a thread that hangs; a job that has begun has over two seconds for tens of milliseconds.
        const signal = AbortSignal.timeout(Math.max(1, Math.ceil(begun + TOTAL_MS - performance.now())));
        return workers.run(job, { name, signal });
      });
    } catch (cause) {
      throw new Unavailable('password hashing', { cause });
    }
  }

  return {
    hash: async (text: string): Promise<string> => String(await run('hash', { text, cost })),
    hashWith: async (text: string, salt: string): Promise<string> =>
      String(await run('hashWith', { text, salt })),
    /** A comparison with a wrong text takes at least the work of the pool’s own cost. */
    compare: async (text: string, hash: string): Promise<Compared> =>
      (await run('compare', { text, hash, cost })) as Compared, // as password-worker.mjs answers
    /** How many jobs the threads work on, and how many wait for one. */
    load: limit.load,
    close: (): Promise<void> => workers.destroy(),
  };
}
