import { createGathered, NO_TRACING, spanning, type Log, type Span, type Tracing } from '@gatehouse/runtime';
import { isActive } from '@gatehouse/schema';
import { NO_CONTENT, packUuid } from './session/cached-session.ts';
import type { CachedSession, Reading, SessionSource } from './session/cached-session.ts';
import { BATCH_MAX, type RedisNode } from './node/redis-node.ts';
import { openRedisNodes } from './node/redis-nodes.ts';
import type { RedisServers } from './client/redis.ts';
import type { CacheRead, Rejected } from './node/scripts.ts';
import { createSessionMacs, type SessionMacKeys } from './session/session-macs.ts';
import { hasLapsed, refusalOf } from './session/session-validity.ts';

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
 * The cached sessions, which every request reads, those of one turn of the event loop in one round trip to each server.
 * One that is not in Redis, or has no valid MAC, is read from the source and cached; without Redis, all are.
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

    /** Returns the session as it was, and marks it, if active, as seen now and watching this content. */
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

    /** Writes again what may be missing; with an unreachable server now and then, as it may be much. */
    catchUp: createCatchUp(nodes, source, write),

    /** Saves the times since the previous call; they stay in memory if that fails. */
    flushLastSeen: (save: Parameters<typeof lastSeen.flush>[0]) => lastSeen.flush(save),

    /** Whether Redis (in a cluster, every server) answers and is trusted. */
    isConnected: () => nodes.every(isTrusted),

    close: () => nodes.close(),
  };
}

/** Writes to every server that accepts writes; returns the ids of the sessions that were not written. */
function createWrite(nodes: RedisNodes, tracing: Tracing) {
  const writeAll = async (sessions: readonly CachedSession[], rejected: Rejected | undefined) => {
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

interface SessionReadsOptions {
  nodes: ReturnType<typeof openRedisNodes>;
  source: Pick<SessionSource, 'load'>;
  idleSeconds: number;
  cache: (found: readonly CachedSession[], rejected: Rejected) => Promise<unknown>;
  tracing: Tracing;
}

interface Waiting extends CacheRead {
  /** The covered part of the copy, if it has no valid MAC. */
  rejected?: string | undefined;
  span: Span | undefined;
  /** The span that requested the read, if it is traced. */
  asking: Span | undefined;
  resolve: (reading: Reading | undefined) => void;
  reject: (error: unknown) => void;
}

/** Reads sessions, those of one turn of the event loop together: from their servers, and otherwise from the source. */
function createSessionReads(options: SessionReadsOptions) {
  let waiting: Waiting[] = [];

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (const [node, batch] of options.nodes.divide(all)) {
      for (let at = 0; at < batch.length; at += BATCH_MAX) void answer(node, batch.slice(at, at + BATCH_MAX));
    }
  }

  async function answer(node: RedisNode | undefined, batch: Waiting[]): Promise<void> {
    try {
      const missing =
        node === undefined ? unread(batch) : await readFromRedis(node, batch, options.idleSeconds);
      if (missing.length > 0) await readFor(missing);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Reads from the source, as a part of the first trace among the reads. */
  function readFor(missing: Waiting[]): Promise<void> {
    const asking = missing.find((one) => one.asking !== undefined)?.asking;
    const read = (): Promise<void> => readFromSource(missing, options);
    return asking === undefined ? read() : options.tracing.within(asking, read);
  }

  return (accountId: string, sessionId: string, mark: string): Promise<Reading | undefined> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      const asking = options.tracing.current();
      const span = asking && options.tracing.part('redis', 'client', READ_FACTS);
      waiting.push({ accountId, sessionId, mark, span, asking, resolve, reject });
    });
}

const READ_FACTS = { 'db.system.name': 'redis', 'db.operation.name': 'read' };

/** Answers the reads that Redis can answer, and returns the others. */
async function readFromRedis(node: RedisNode, batch: Waiting[], idleSeconds: number): Promise<Waiting[]> {
  const missing: Waiting[] = [];
  const replies = await node.read(batch);
  for (const { span } of batch) {
    span?.set({ 'db.operation.batch.size': batch.length });
    span?.end();
  }
  for (const [reads, reply] of replies) {
    if (reply === undefined) {
      missing.push(...reads);
      continue;
    }
    const { nowSeconds } = reply;
    reads.forEach((one, index) => {
      const { session, rejected } = reply.found[index] ?? {};
      // The source may have later activity: a session is never refused as expired because of its copy alone.
      const seemsLapsed =
        session !== undefined && isActive(session.status) && hasLapsed(session, nowSeconds, idleSeconds);
      if (session !== undefined && !seemsLapsed) one.resolve({ session, nowSeconds });
      else missing.push(Object.assign(one, { rejected }));
    });
  }
  return missing;
}

/** Returns reads for which no server is known. */
function unread(batch: Waiting[]): Waiting[] {
  for (const { span } of batch) span?.end('no_server');
  return batch;
}

async function readFromSource(
  batch: Waiting[],
  { source, cache }: Pick<SessionReadsOptions, 'source' | 'cache'>,
): Promise<void> {
  const found = await source.load([...new Set(batch.map((one) => one.sessionId))]);
  const byId = new Map(found.map((session) => [session.sessionId, session]));
  for (const one of batch) {
    const session = byId.get(one.sessionId);
    const fits = session !== undefined && session.accountId === one.accountId;
    one.resolve(fits ? { session, nowSeconds: session.readAtSeconds } : undefined);
  }
  const rejected = new Map<string, string>();
  for (const one of batch) if (one.rejected !== undefined) rejected.set(one.sessionId, one.rejected);
  await cache(found, rejected);
}

/** When a session was last seen, for saving in the source. */
export interface LastSeen {
  sessionId: string;
  seenAtSeconds: number;
  /** The time of the latest ping; 0 if there was none. */
  pingedAtSeconds: number;
  contentDefinitionId: string | undefined;
}

/** Remembers when sessions were last seen, until that is saved; only the latest time for each. */
function createLastSeen() {
  const noted = createGathered<string, LastSeen>();
  return {
    note: (lastSeen: LastSeen): void => noted.add(lastSeen.sessionId, lastSeen),
    flush: (save: (lastSeen: readonly LastSeen[]) => Promise<void>) =>
      noted.flush((taken) => save([...taken.values()])),
  };
}
