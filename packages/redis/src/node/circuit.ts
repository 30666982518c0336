import type { Log } from '@gatehouse/runtime';
import type { Redis } from '../client/redis.ts';

const PROBE_MS = 250;

interface CircuitOptions {
  redis: Redis;
  log: Log;
  /** Distinguishes terms within one run of the server; none by default. */
  askTerm?: () => Promise<string>;
  /** A key in one of the server’s slots. */
  probeKey: () => string;
  recover: (fence: string) => Promise<void>;
}

/**
 * Decides whether one Redis server is trusted. After a failure, it is not read until it answers again and `recover` has
 * written everything that it may have missed: otherwise a session that ended meanwhile would become active again.
 *
 * The fence is part of every key and identifies the current run of the server (its `run_id`). If a server restarted
 * from an old snapshot, or a replica took over with a gap, its copies have another fence, which is never read.
 */
export function createCircuit(options: CircuitOptions) {
  const { redis, log, probeKey, recover, askTerm } = options;
  const server = `${redis.options.host}:${redis.options.port}`;
  let readFence: string | undefined;
  let writeFence: string | undefined;
  let closed = false;
  let probing = false;
  let timer: NodeJS.Timeout | undefined;
  let epoch = 0;
  const warnOfEviction = createEvictionWarning(redis, log, server);

  const probe = async (): Promise<void> => {
    if (probing || closed) return;
    probing = true;
    const startedIn = epoch;
    try {
      const life = /run_id:(\w+)/.exec(await redis.info('server'))?.[1]?.slice(0, 8) ?? 'x';
      const fence = askTerm === undefined ? life : life + (await askTerm());
      await warnOfEviction();
      // A server that accepts no writes (full, or a read-only replica) must not be used either.
      await redis.set(probeKey(), startedIn, 'EX', 60);
      // Writes begin before reads: changes that are committed from here on are written to Redis as usual, and the
      // recovery finds those that were committed earlier, so that none is missed.
      writeFence = fence;
      await recover(fence);
      // If the connection was lost during the recovery, the server may have been restarted; probe again.
      if (startedIn !== epoch || redis.status !== 'ready')
        throw new Error('redis reconnected in the meantime');
      readFence = fence;
      log.info('redis is available', { server });
    } catch (error) {
      log.debug('redis is not available yet', { error, server });
      schedule();
    } finally {
      probing = false;
    }
  };

  const schedule = (): void => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void probe(), PROBE_MS);
  };

  const open = (error?: unknown): void => {
    epoch += 1;
    if (readFence !== undefined) {
      log.warn('redis unavailable, reading sessions from postgres until it recovers', { error, server });
    }
    readFence = writeFence = undefined;
    schedule();
  };

  redis.on('close', () => open());
  redis.on('ready', () => void probe());
  if (redis.status === 'ready') void probe();

  return {
    /** The fence while reads from Redis are trusted, otherwise `undefined`. */
    readFence: () => readFence,
    /** The fence while Redis is written to, which begins before it is trusted; otherwise `undefined`. */
    writeFence: () => writeFence,
    open,
    close(): void {
      closed = true;
      readFence = writeFence = undefined;
      clearTimeout(timer);
    },
  };
}

/**
 * Warns once per policy if Redis may evict copies: their sessions are then read from Postgres, which is correct but
 * slow.
 */
function createEvictionWarning(redis: Redis, log: Log, server: string): () => Promise<void> {
  let knownPolicy: string | undefined;
  return async () => {
    const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
    if (policy !== undefined && policy !== 'noeviction' && policy !== knownPolicy) {
      log.warn('redis may evict cached sessions: set maxmemory-policy to noeviction', { policy, server });
    }
    knownPolicy = policy;
  };
}
