import { groupedBy, type Log } from '@gatehouse/runtime';
import { tagOf, type CachedSession } from '../session/cached-session.ts';
import { createScriptArguments, READ, WRITE, type CacheRead, type Rejected, type Reply } from './scripts.ts';
import { withScripts, type Redis, type RedisServers } from '../client/redis.ts';
import type { SessionMacs } from '../session/session-macs.ts';
import { slotOf } from '../client/redis-cluster.ts';

export type RedisNode = ReturnType<typeof createRedisNode>;

/** Limits one script call, because Redis serves no other clients meanwhile. */
export const BATCH_MAX = 256;

interface RedisNodeOptions {
  redis: Redis;
  servers: RedisServers;
  macs: SessionMacs;
  idleSeconds: number;
  recover: (fence: string) => Promise<void>;
  log: Log;
}

/**
 * The cached sessions on one Redis server, with the circuit that decides whether it is trusted.
 *
 * A cluster node accepts keys of one slot per call, so all calls are sent as one pipeline. Slots and copies move, and
 * masters change. So the fence of a node is its run and its config epoch, which increases whenever it takes over a
 * slot. Each pipeline ends with a query of it; results of another epoch are discarded. So copies that left a node and
 * returned are never read, and no two processes have different current fences.
 */
export function createRedisNode(options: RedisNodeOptions) {
  const { redis, servers, macs, idleSeconds, recover, log } = options;
  const scripts = withScripts(redis, { readSessions: READ, writeSessions: WRITE });
  const { readArguments, writeArguments, replyOf } = createScriptArguments(macs, idleSeconds);
  const callInTerm = createCallsInEpoch(redis, servers);
  const circuit = createCircuit({
    redis,
    log,
    recover,
    probeKey: () => (servers.isCluster ? probeKeyOn(redis, servers) : 's:probe'),
    ...(servers.isCluster && { askTerm: async () => configEpochOf(await redis.cluster('INFO')) }),
  });

  async function readBySlot<T extends CacheRead>(fence: string, batch: T[]): Promise<[T[], Reply][]> {
    const parts = bySlot(batch);
    const calls = parts.map((reads) => readArguments(fence, reads));
    const replies = await callInTerm(fence, 'readSessions', calls);
    return parts.map((reads, index) => [reads, replyOf(fence, reads, calls[index] ?? [], replies[index])]);
  }

  async function writeBySlot(fence: string, sessions: readonly CachedSession[], rejected: Rejected) {
    const parts = bySlot(sessions);
    const calls = parts.map((part) => writeArguments(fence, part, rejected));
    const replies = await callInTerm(fence, 'writeSessions', calls);
    return parts.filter((_, index) => replies[index] === undefined).flat();
  }

  return {
    circuit,

    /** Returns what was found for each read; never fails. */
    async read<T extends CacheRead>(batch: T[]): Promise<[T[], Reply][]> {
      const fence = circuit.readFence();
      if (fence === undefined) return [[batch, undefined]];
      try {
        if (servers.isCluster) return await readBySlot(fence, batch);
        const asked = readArguments(fence, batch);
        return [[batch, replyOf(fence, batch, asked, await scripts.readSessions(...asked))]];
      } catch (error) {
        circuit.open(error);
        return [[batch, undefined]];
      }
    },

    /** Returns the sessions whose slots are on another server. Fails if it is uncertain what was written. */
    async write(fence: string, sessions: readonly CachedSession[], rejected: Rejected = new Map()) {
      const left: CachedSession[] = [];
      for (let at = 0; at < sessions.length; at += BATCH_MAX) {
        const part = sessions.slice(at, at + BATCH_MAX);
        if (servers.isCluster) left.push(...(await writeBySlot(fence, part, rejected)));
        else await scripts.writeSessions(...writeArguments(fence, part, rejected));
      }
      return left;
    },
  };
}

function bySlot<T extends { accountId: string }>(all: readonly T[]): T[][] {
  return [...groupedBy(all, ({ accountId }) => slotOf(tagOf(accountId))).values()];
}

/** A key in one of the node’s slots; the search fails only for a node with hardly any slots. */
function probeKeyOn(redis: Redis, servers: RedisServers): string {
  for (let tag = 0; tag < TAGS_MAX; tag++) {
    if (servers.serverOf(String(tag)) === redis) return `s:probe:{${tag}}`;
  }
  throw new Error('the redis node holds no slot');
}

const TAGS_MAX = 100_000;

/** One pipeline that ends with a query of the config epoch; the calls fail if that is not the fence's. */
function createCallsInEpoch(redis: Redis, servers: Pick<RedisServers, 'refresh'>) {
  /** Returns the result of each call; `undefined` for slots that are on another node, or are about to be. */
  return async (fence: string, name: 'readSessions' | 'writeSessions', calls: [number, ...string[]][]) => {
    const commands = calls.map((args) => [name, ...args]);
    const results = (await redis.pipeline([...commands, ['cluster', 'INFO']]).exec()) ?? [];
    const [failed, info] = results.pop() ?? [];
    if (failed) throw failed;
    if (!fence.endsWith(configEpochOf(info))) throw new Error('the redis node has taken slots over');
    return results.map(([error, value]) => {
      if (error === null) return value;
      if (!/^(MOVED|ASK|TRYAGAIN) /.test(error.message)) throw error;
      servers.refresh();
      return undefined;
    });
  };
}

/** The config epoch in `CLUSTER INFO`, as a suffix for the fence. */
function configEpochOf(info: unknown): string {
  const epoch = /cluster_my_epoch:(\d+)/.exec(String(info))?.[1];
  if (epoch === undefined) throw new Error('the redis node does not tell its config epoch');
  return `.${epoch}`;
}

const PROBE_MS = 250;

interface CircuitOptions {
  redis: Redis;
  log: Log;
  /** Distinguishes terms within one run of the server; none by default. */
  askTerm?: () => Promise<string>;
  probeKey: () => string;
  recover: (fence: string) => Promise<void>;
}

/**
 * Whether a server is trusted: after a failure, it is not read until it answers again and `recover` has written what it
 * may have missed; otherwise a session that ended meanwhile would be active again. The fence, in every key, is the
 * server's run (`run_id`): after a restart from an old snapshot, or a failover with a gap, copies have another one,
 * which is never read.
 */
function createCircuit(options: CircuitOptions) {
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
    if (readFence !== undefined)
      log.warn('redis unavailable, reading sessions from postgres until it recovers', { error, server });
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

/** Warns once per policy: evicted sessions are read from Postgres, which is correct but slow. */
function createEvictionWarning(redis: Redis, log: Log, server: string): () => Promise<void> {
  let knownPolicy: string | undefined;
  return async () => {
    const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
    if (policy !== undefined && policy !== 'noeviction' && policy !== knownPolicy)
      log.warn('redis may evict cached sessions: set maxmemory-policy to noeviction', { policy, server });
    knownPolicy = policy;
  };
}
