import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenKeysOf } from '@gatehouse/auth-core';
import { createSessionCache, openRedis, type CachedSession } from '@gatehouse/redis';
import { someSession } from '@gatehouse/redis/testing';
import { createLog } from '@gatehouse/runtime';
import { eventually, msOf } from '@gatehouse/runtime/testing';
import { v4 as newRandomId, v7 as newId } from 'uuid';
import { median, whole } from '../compare.ts';
import type { Row } from '../row.ts';
import { readMetric } from '../system.ts';

/** Start-up work is over by then. */
const SETTLING_SECONDS = 10;
const SECONDS = 30;

export const idle: Row = {
  name: 'idle',
  async measure(bench) {
    const { metricsUrls } = await bench.ownSystem({ bcryptCost: 4, users: 1 });
    const services = Object.entries(metricsUrls);
    const read = (metric: string) => Promise.all(services.map(([, url]) => readMetric(url, metric)));
    await sleep(SETTLING_SECONDS * 1000, undefined, { signal: bench.signal });
    const [before, began] = [await read('process_cpu_seconds_total'), performance.now()];
    await sleep(SECONDS * 1000, undefined, { signal: bench.signal });
    const [after, seconds] = [await read('process_cpu_seconds_total'), (performance.now() - began) / 1000];
    const cpu = after.map((used, at) => (100 * (used - (before[at] ?? Number.NaN))) / seconds);
    const memory = (await read('process_resident_memory_bytes')).map((bytes) => bytes / 1e6);
    const list = (values: readonly number[], digits: number) =>
      services.map(([name], at) => `${name} ${values[at]?.toFixed(digits)}`).join(', ');
    const ofCpu = { title: 'CPU of the busiest service when idle, of one core', value: Math.max(...cpu) };
    const ofMemory = { title: 'memory of the largest service at rest', value: Math.max(...memory) };
    return [
      { id: 'idle-cpu', ...ofCpu, unit: '%', detail: `over ${SECONDS} s: ${list(cpu, 2)}` },
      { id: 'idle-memory', ...ofMemory, unit: 'MB', detail: `resident: ${list(memory, 0)}` },
    ];
  },
};

const BATCH = 500;

export const redisMemory: Row = {
  name: 'redis-memory',
  async measure(bench) {
    const { copies } = bench.sizes;
    const { redisUrl } = (await bench.system()).stack.facts;
    const log = createLog({ service: 'bench', level: 'error' });
    const redis = openRedis({ urls: redisUrl, isCluster: false, log });
    const source = { load: async () => [], catchUp: async () => '0' };
    const keys = tokenKeysOf(randomBytes(32).toString('hex'));
    const sessionCache = createSessionCache({ redis, source, keys, idleSeconds: 7200, log });
    bench.onEnd(() => {
      sessionCache.close();
      redis.disconnect();
    });
    await eventually(() => sessionCache.isConnected());
    const used = async (): Promise<number> => {
      const info = (await redis.serverOf('')?.info('memory')) ?? '';
      return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
    };
    const keyCount = async (): Promise<number> => (await redis.serverOf('')?.dbsize()) ?? 0;
    const [memoryBefore, keysBefore] = [await used(), await keyCount()];
    for (let done = 0; done < copies; done += BATCH) {
      bench.signal.throwIfAborted();
      await sessionCache.write(Array.from({ length: Math.min(BATCH, copies - done) }, newSession));
    }
    const written = (await keyCount()) - keysBefore;
    if (written < copies) throw new Error(`Redis took ${written} of ${copies} sessions`);
    const grown = (await used()) - memoryBefore;
    const detail = `${whole(copies)} active sessions took ${(grown / 2 ** 20).toFixed(1)} MiB of Redis`;
    const title = `Redis memory per active session, at ${whole(copies)}`;
    return [{ id: 'redis-memory', title, value: grown / copies, unit: 'bytes', detail }];
  },
};

function newSession(): CachedSession {
  const session = someSession(Math.floor(Date.now() / 1000));
  return { ...session, sessionId: newId(), accountId: newId(), contentDefinitionId: newRandomId() };
}

export const coldStart: Row = {
  name: 'cold-start',
  async measure({ system, sizes, signal }) {
    const { stack } = await system();
    const times: number[] = [];
    for (let round = 0; round < sizes.rounds; round++) {
      signal.throwIfAborted();
      await stack.hold('core');
      times.push((await msOf(() => stack.release('core'))) / 1000);
    }
    const detail = `median of ${times.map((time) => time.toFixed(2)).join(', ')} s, of Core`;
    const title = 'from the start of a service until it is ready';
    return [{ id: 'cold-start', title, value: median(times), unit: 's', detail }];
  },
};
