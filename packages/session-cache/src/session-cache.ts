import type { Log } from '@gatehouse/runtime';
import { NO_CONTENT, packUuid, type CachedSession } from './cached-session.ts';
import { BATCH_MAX, type CacheRead, type RedisNode, type Rejected } from './redis-node.ts';
import { openRedisNodes } from './redis-nodes.ts';
import type { RedisServers } from './redis.ts';
import { createSessionMacs, type SessionMacKeys } from './session-macs.ts';
import { hasLapsed, refusalOf } from './session-validity.ts';
import { isActive } from '@gatehouse/schema';

/** Where sessions are stored permanently; read when the cache cannot answer. */
export interface SessionSource {
  /** The current sessions; those that do not exist are left out. */
  load(sessionIds: readonly string[]): Promise<CachedSession[]>;
  /**
   * Passes every session whose copy may not have reached Redis to `write`, which returns the ids that failed again;
   * all others are forgotten. Resolves to the position reached; `after` skips what is before a position.
   */
  catchUp(
    write: (sessions: readonly CachedSession[]) => Promise<ReadonlySet<string>>,
    after?: string,
  ): Promise<string>;
}

/** When a session was last seen, to be saved in the source. */
export interface LastSeen {
  sessionId: string;
  seenAtSeconds: number;
  /** Of the latest ping; 0 when there was none. */
  pingedAtSeconds: number;
  contentDefinitionId: string | undefined;
}

/** A session, and the time by the clock of the server that it was read from (epoch seconds). */
export interface Reading {
  session: CachedSession;
  nowSeconds: number;
}

export type SessionCache = ReturnType<typeof createSessionCache>;

/**
 * The cached sessions in Redis, which every request reads. All requests of one turn of the event loop share one round
 * trip to each server. A session that Redis does not know, or whose copy has no valid code, is read from the source
 * and cached again; while Redis does not answer, the source is read instead.
 */
export function createSessionCache(options: {
  redis: RedisServers;
  source: SessionSource;
  /** The keys of the codes in copies. */
  keys: SessionMacKeys;
  idleSeconds: number;
  log: Log;
}) {
  const { redis: servers, source, idleSeconds, log } = options;
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
  let caughtUpTo: string | undefined;
  let turnsSinceAll = 0;
  let lastSeen = new Map<string, LastSeen>();
  let waiting: Waiting[] = [];

  function enqueue(accountId: string, sessionId: string, mark: string): Promise<Reading | undefined> {
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ accountId, sessionId, mark, resolve, reject });
    });
  }

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (const [node, batch] of nodes.divide(all)) {
      for (let at = 0; at < batch.length; at += BATCH_MAX) void answer(node, batch.slice(at, at + BATCH_MAX));
    }
  }

  async function answer(node: RedisNode | undefined, batch: Waiting[]): Promise<void> {
    try {
      const missing = node === undefined ? batch : await readFromRedis(node, batch);
      if (missing.length > 0) await readFromSource(missing);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Answers the reads that Redis can serve, and returns the others. */
  async function readFromRedis(node: RedisNode, batch: Waiting[]): Promise<Waiting[]> {
    const missing: Waiting[] = [];
    for (const [reads, reply] of await node.read(batch)) {
      if (reply === undefined) {
        missing.push(...reads);
        continue;
      }
      const { nowSeconds } = reply;
      reads.forEach((one, index) => {
        const { session, rejected } = reply.found[index] ?? {};
        // The source may know of later activity: a copy alone logs nobody out.
        const seemsLapsed =
          session !== undefined && isActive(session.status) && hasLapsed(session, nowSeconds, idleSeconds);
        if (session !== undefined && !seemsLapsed) one.resolve({ session, nowSeconds });
        else missing.push(Object.assign(one, { rejected }));
      });
    }
    return missing;
  }

  async function readFromSource(batch: Waiting[]): Promise<void> {
    const found = await source.load([...new Set(batch.map((one) => one.sessionId))]);
    const byId = new Map(found.map((session) => [session.sessionId, session]));
    for (const one of batch) {
      const session = byId.get(one.sessionId);
      const fits = session !== undefined && session.accountId === one.accountId;
      one.resolve(fits ? { session, nowSeconds: session.readAtSeconds } : undefined);
    }
    const rejected = new Map<string, string>();
    for (const one of batch) if (one.rejected !== undefined) rejected.set(one.sessionId, one.rejected);
    // Copies for which this service has no key are left to the services that have it.
    const mine = found.filter(({ role }) => macs.vouchesFor(role));
    await write(mine, rejected);
  }

  /** Writes to every server that accepts writes; returns the ids of the sessions that were not written. */
  async function write(sessions: readonly CachedSession[], rejected?: Rejected): Promise<Set<string>> {
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
  }

  return {
    /** The current session; `undefined` when the account has none of this id. */
    read: (accountId: string, sessionId: string) => enqueue(accountId, sessionId, ''),

    /** The session from the source, whatever its copy says; of the copy only the time of last use counts. */
    async confirm({ session }: Reading): Promise<Reading | undefined> {
      const [found] = await source.load([session.sessionId]);
      if (found === undefined || found.accountId !== session.accountId) return undefined;
      const lastSeenAt = Math.max(found.lastSeenAt, session.lastSeenAt);
      return { session: { ...found, lastSeenAt }, nowSeconds: found.readAtSeconds };
    },

    /**
     * Reads the session and, when it is active, marks it as seen now, watching this content. Returns it as it was
     * before.
     */
    async touch(accountId: string, sessionId: string, contentDefinitionId?: string) {
      const mark = contentDefinitionId === undefined ? NO_CONTENT : packUuid(contentDefinitionId);
      const reading = await enqueue(accountId, sessionId, mark);
      if (reading !== undefined && refusalOf(reading, idleSeconds) === undefined) {
        const seenAtSeconds = reading.nowSeconds;
        lastSeen.set(sessionId, {
          sessionId,
          seenAtSeconds,
          pingedAtSeconds: seenAtSeconds,
          contentDefinitionId,
        });
      }
      return reading;
    },

    /** Marks a session as seen now without a ping: the content that it is watching stays. */
    async keepAlive(accountId: string, sessionId: string): Promise<void> {
      if (nodes.of(accountId)?.circuit.readFence() !== undefined) await enqueue(accountId, sessionId, '+');
    },

    /**
     * Writes sessions to the cache after the commit that changed them. Copies of a later version stay. A failure is
     * not the caller’s error: the relay writes them again.
     */
    async write(sessions: readonly CachedSession[]): Promise<void> {
      if (sessions.length > 0) await write(sessions);
    },

    /**
     * Writes again what the source reports as possibly missing. What waits for an unreachable server is tried only
     * now and then, as it may be much.
     */
    async catchUp(): Promise<void> {
      if (!nodes.some(isTrusted)) return;
      turnsSinceAll = nodes.every(isTrusted) ? 0 : (turnsSinceAll + 1) % TURNS_PER_ALL;
      caughtUpTo = await source.catchUp(
        (sessions) => write(sessions),
        turnsSinceAll === 0 ? undefined : caughtUpTo,
      );
    },

    /** Saves when sessions were last seen since the previous call; keeps the times when saving fails. */
    async flushLastSeen(save: (lastSeen: readonly LastSeen[]) => Promise<void>): Promise<void> {
      const taken = lastSeen;
      if (taken.size === 0) return;
      lastSeen = new Map();
      try {
        await save([...taken.values()]);
      } catch (error) {
        lastSeen = new Map([...taken, ...lastSeen]);
        throw error;
      }
    },

    /** Whether Redis, in a cluster every server of it, answers and is trusted. */
    isConnected: () => nodes.every(isTrusted),

    close: () => nodes.close(),
  };
}

interface Waiting extends CacheRead {
  /** The copy without a valid code. */
  rejected?: string | undefined;
  resolve: (reading: Reading | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Entries become visible in the order of their commits, not of their numbers: some may be behind the position
 * reached.
 */
const TURNS_PER_ALL = 10;

const isTrusted = (node: RedisNode): boolean => node.circuit.readFence() !== undefined;

function idsOf(sessions: readonly CachedSession[]): Set<string> {
  return new Set(sessions.map(({ sessionId }) => sessionId));
}
