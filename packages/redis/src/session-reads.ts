import type { Span, Tracing } from '@gatehouse/runtime';
import { isActive } from '@gatehouse/schema';
import type { CachedSession, Reading, SessionSource } from './session/cached-session.ts';
import { BATCH_MAX, type RedisNode } from './node/redis-node.ts';
import type { openRedisNodes } from './node/redis-nodes.ts';
import type { CacheRead, Rejected } from './node/scripts.ts';
import { hasLapsed } from './session/session-validity.ts';

interface SessionReadsOptions {
  nodes: ReturnType<typeof openRedisNodes>;
  source: Pick<SessionSource, 'load'>;
  idleSeconds: number;
  /** Caches what was read from the source. */
  cache: (found: readonly CachedSession[], rejected: Rejected) => Promise<unknown>;
  tracing: Tracing;
}

/** A read that waits for its answer. */
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
