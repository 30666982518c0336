import { isActive } from '@gatehouse/schema';
import type { CachedSession } from './session/cached-session.ts';
import { BATCH_MAX, type RedisNode } from './node/redis-node.ts';
import type { openRedisNodes } from './node/redis-nodes.ts';
import type { CacheRead, Rejected } from './node/script-arguments.ts';
import type { Reading, SessionSource } from './session/session-source.ts';
import { hasLapsed } from './session/session-validity.ts';

interface SessionReadsOptions {
  nodes: ReturnType<typeof openRedisNodes>;
  source: Pick<SessionSource, 'load'>;
  idleSeconds: number;
  /** Keeps what was read from the source. */
  cache: (found: readonly CachedSession[], rejected: Rejected) => Promise<unknown>;
}

/** A read that waits for its answer. */
interface Waiting extends CacheRead {
  /** The copy without a valid code. */
  rejected?: string | undefined;
  resolve: (reading: Reading | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads sessions, those of one turn of the event loop together: from the server of each, and what that does not know
 * from the source.
 */
export function createSessionReads(options: SessionReadsOptions) {
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
      const missing = node === undefined ? batch : await readFromRedis(node, batch, options.idleSeconds);
      if (missing.length > 0) await readFromSource(missing, options);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (accountId: string, sessionId: string, mark: string): Promise<Reading | undefined> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ accountId, sessionId, mark, resolve, reject });
    });
}

/** Answers the reads that Redis can serve, and returns the others. */
async function readFromRedis(node: RedisNode, batch: Waiting[], idleSeconds: number): Promise<Waiting[]> {
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
