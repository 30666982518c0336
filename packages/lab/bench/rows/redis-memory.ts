import { randomBytes } from 'node:crypto';
import { tokenKeysOf } from '@gatehouse/auth-core';
import { createSessionCache, openRedis, type CachedSession, type SessionSource } from '@gatehouse/redis';
import { SessionStatus } from '@gatehouse/schema';
import { createLog } from '@gatehouse/runtime';
import { v4 as newRandomId, v7 as newId } from 'uuid';
import type { Row } from '../row.ts';
import { whole } from '../load/rounds.ts';

const BATCH = 500;
const IDLE_SECONDS = 7200;

export const redisMemory: Row = {
  name: 'redis-memory',
  async measure(bench) {
    const { copies } = bench.sizes;
    const { redisUrl } = (await bench.system()).stack.facts;
    const log = createLog({ service: 'bench', level: 'error' });
    const redis = openRedis({ urls: redisUrl, isCluster: false, log });
    const keys = tokenKeysOf(randomBytes(32).toString('hex'));
    const sessionCache = createSessionCache({
      redis,
      source: NO_SOURCE,
      keys,
      idleSeconds: IDLE_SECONDS,
      log,
    });
    bench.onEnd(() => {
      sessionCache.close();
      redis.disconnect();
    });
    while (!sessionCache.isConnected()) await new Promise((resolve) => setTimeout(resolve, 50));
    const used = async (): Promise<number> => {
      const info = (await redis.serverOf('')?.info('memory')) ?? '';
      return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
    };
    const keyCount = async (): Promise<number> => (await redis.serverOf('')?.dbsize()) ?? 0;
    const [memoryBefore, keysBefore] = [await used(), await keyCount()];
    for (let done = 0; done < copies; done += BATCH) {
      bench.signal.throwIfAborted();
      await sessionCache.write(Array.from({ length: Math.min(BATCH, copies - done) }, someSession));
    }
    const written = (await keyCount()) - keysBefore;
    if (written < copies) throw new Error(`Redis took ${written} of ${copies} sessions`);
    const grown = (await used()) - memoryBefore;
    const detail = `${whole(copies)} active sessions took ${(grown / 2 ** 20).toFixed(1)} MiB of Redis`;
    const title = `Redis memory per active session, at ${whole(copies)}`;
    return [
      { id: 'redis-memory', title, value: grown / copies, unit: 'bytes', bar: { atMost: 400 }, detail },
    ];
  },
};

const NO_SOURCE: SessionSource = { load: async () => [], catchUp: async () => '0' };

/** A session of a new account that watches a channel. */
function someSession(): CachedSession {
  const now = Math.floor(Date.now() / 1000);
  return {
    sessionId: newId(),
    accountId: newId(),
    version: 1,
    status: SessionStatus.Normal,
    isLoggedOut: false,
    role: 'User',
    isAccountDisabled: false,
    accountExpiresAt: undefined,
    expiresAt: now + 2_592_000,
    lastSeenAt: now,
    lastPingAt: now,
    contentDefinitionId: newRandomId(),
    readAtSeconds: now,
  };
}
