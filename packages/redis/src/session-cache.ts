import { NO_TRACING, spanning, type Log, type Tracing } from '@gatehouse/runtime';
import {
  NO_CONTENT,
  packUuid,
  type CachedSession,
  type Reading,
  type SessionSource,
} from './session/cached-session.ts';
import { createLastSeen } from './session/last-seen.ts';
import type { RedisNode } from './node/redis-node.ts';
import { openRedisNodes } from './node/redis-nodes.ts';
import type { RedisServers } from './client/redis.ts';
import type { Rejected } from './node/scripts.ts';
import { createSessionMacs, type SessionMacKeys } from './session/session-macs.ts';
import { createSessionReads } from './session-reads.ts';
import { refusalOf } from './session/session-validity.ts';

export type SessionCache = ReturnType<typeof createSessionCache>;

interface SessionCacheOptions {
  redis: RedisServers;
  source: SessionSource;
  keys: SessionMacKeys;
  idleSeconds: number;
  log: Log;
  tracing?: Tracing | undefined;
}

/**
 * The cached sessions in Redis, which every request reads. All requests of one turn of the event loop share one round
 * trip to each server. A session that is not in Redis, or whose copy has no valid MAC, is read from the source and
 * cached again; while Redis does not answer, the source is read instead.
 */
export function createSessionCache(options: SessionCacheOptions) {
  const { redis: servers, source, idleSeconds, log, tracing = NO_TRACING } = options;
  const macs = createSessionMacs(options.keys);
  const nodes = openRedisNodes({
    servers,
    macs,
    idleSeconds,
    log,
    recover: async (node, fence) => {
      await source.catchUp(async (sessions) => {
        const mine = sessions.filter((session) => nodes.of(session.accountId) === node);
        const others = sessions.filter((session) => nodes.of(session.accountId) !== node);
        return idsOf([...others, ...(await node.write(fence, mine))]);
      });
    },
  });
  const write = createWrite(nodes, tracing);
  const lastSeen = createLastSeen();
  const read = createSessionReads({
    nodes,
    source,
    idleSeconds,
    tracing,
    // Sessions for which this service has no key are left to be cached by services that have it.
    cache: (found, rejected) =>
      write(
        found.filter(({ role }) => macs.vouchesFor(role)),
        rejected,
      ),
  });

  return {
    /** The current session; `undefined` if the account has no session with this id. */
    read: (accountId: string, sessionId: string) => read(accountId, sessionId, ''),

    /** The session from the source; only the time of last use is taken from the copy. */
    async confirm({ session }: Reading): Promise<Reading | undefined> {
      const [found] = await source.load([session.sessionId]);
      if (found === undefined || found.accountId !== session.accountId) return undefined;
      const lastSeenAt = Math.max(found.lastSeenAt, session.lastSeenAt);
      return { session: { ...found, lastSeenAt }, nowSeconds: found.readAtSeconds };
    },

    /**
     * Reads the session and, if it is active, marks it as seen now and as watching this content. Returns it as it was
     * before.
     */
    async touch(accountId: string, sessionId: string, contentDefinitionId?: string) {
      const mark = contentDefinitionId === undefined ? NO_CONTENT : packUuid(contentDefinitionId);
      const reading = await read(accountId, sessionId, mark);
      if (reading !== undefined && refusalOf(reading, idleSeconds) === undefined) {
        const seenAtSeconds = reading.nowSeconds;
        lastSeen.note({ sessionId, seenAtSeconds, pingedAtSeconds: seenAtSeconds, contentDefinitionId });
      }
      return reading;
    },

    /** Marks a session as seen now without a ping: the content that it is watching stays the same. */
    async keepAlive(accountId: string, sessionId: string): Promise<void> {
      if (nodes.of(accountId)?.circuit.readFence() !== undefined) await read(accountId, sessionId, '+');
    },

    /**
     * Writes sessions to the cache after the commit that changed them. Copies with a later version remain. A failure is
     * not the caller’s error: the sessions are written again later (`catchUp`).
     */
    async write(sessions: readonly CachedSession[]): Promise<void> {
      if (sessions.length > 0) await write(sessions);
    },

    /**
     * Writes again the sessions that the source reports as possibly missing. Those of an unreachable server are tried
     * only now and then, because there may be many.
     */
    catchUp: createCatchUp(nodes, source, write),

    /**
     * Saves when sessions were last seen since the previous call; the times remain stored in memory if saving fails.
     */
    flushLastSeen: (save: Parameters<typeof lastSeen.flush>[0]) => lastSeen.flush(save),

    /** Whether Redis (in a cluster, every server) answers and is trusted. */
    isConnected: () => nodes.every(isTrusted),

    close: () => nodes.close(),
  };
}

/** Writes to every server that accepts writes; returns the ids of the sessions that were not written. */
function createWrite(nodes: RedisNodes, tracing: Tracing) {
  const writeAll = async (
    sessions: readonly CachedSession[],
    rejected: Rejected | undefined,
  ): Promise<Set<string>> => {
    const left = await Promise.all(
      nodes.divide(sessions).map(async ([node, part]) => {
        const fence = node?.circuit.writeFence();
        if (node === undefined || fence === undefined) return part;
        return node.write(fence, part, rejected).catch((error: unknown) => {
          node.circuit.open(error);
          return part;
        });
      }),
    );
    return idsOf(left.flat());
  };
  return (sessions: readonly CachedSession[], rejected?: Rejected): Promise<Set<string>> => {
    const span = tracing.part('redis', 'client', {
      'db.system.name': 'redis',
      'db.operation.name': 'write',
      'db.operation.batch.size': sessions.length,
    });
    return spanning(tracing, span, () => writeAll(sessions, rejected));
  };
}

type RedisNodes = ReturnType<typeof openRedisNodes>;

/**
 * While a server is not trusted, every how many turns catching up starts from the beginning: entries become visible in
 * the order of their commits, not of their numbers, so some may be before the position already reached.
 */
const TURNS_PER_ALL = 10;

function createCatchUp(
  nodes: RedisNodes,
  source: SessionSource,
  write: (sessions: readonly CachedSession[]) => Promise<ReadonlySet<string>>,
): () => Promise<void> {
  let caughtUpTo: string | undefined;
  let turnsSinceAll = 0;
  return async () => {
    if (!nodes.some(isTrusted)) return;
    turnsSinceAll = nodes.every(isTrusted) ? 0 : (turnsSinceAll + 1) % TURNS_PER_ALL;
    caughtUpTo = await source.catchUp(
      (sessions) => write(sessions),
      turnsSinceAll === 0 ? undefined : caughtUpTo,
    );
  };
}

const isTrusted = (node: RedisNode): boolean => node.circuit.readFence() !== undefined;

function idsOf(sessions: readonly CachedSession[]): Set<string> {
  return new Set(sessions.map(({ sessionId }) => sessionId));
}
