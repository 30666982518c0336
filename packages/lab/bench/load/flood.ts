import { Agent, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../row.ts';
import { load, type Asked, type Target } from './load.ts';

/** Enough to keep all threads busy, and few enough not to fill the queue. */
export const BUSY = { connections: 4 * availableParallelism() };
/** The maximum of connections. Additional requests wait here for a free connection instead of at the server. */
const CONNECTIONS_MAX = 1000;
const TICK_MS = 10;
/** Long enough to fill the queue of passwords. */
const FILLING_MS = 3000;

/** Twice as many requests per second as the server answers. */
export async function twiceTheCapacity(target: Target, { sizes, signal }: Bench): Promise<number> {
  return Math.ceil(2 * (await load(target, 2 * sizes.seconds, signal, BUSY)).requestsPerSecond);
}

/**
 * Works while this many requests arrive per second, whether or not earlier ones are answered. Waits for outstanding
 * requests, and counts them in `counts`.
 */
export async function besideFlood<T>(
  target: Target,
  perSecond: number,
  { signal, counts = { good: 0, refused: 0 } }: { signal: AbortSignal; counts?: Counts },
  work: () => Promise<T>,
): Promise<T> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const { hostname, port } = new URL(target.url);
  const inFlight = new Set<Promise<void>>();
  const began = performance.now();
  let sent = 0;
  const send = (asked: Asked): Promise<void> =>
    new Promise((resolve) => {
      const { method, path, headers = {}, body } = asked;
      const message = request({ hostname, port, agent, method, path, headers }, (response) => {
        if (response.statusCode === 200) counts.good += 1;
        else counts.refused += 1;
        response.resume().once('close', resolve);
      });
      message.once('error', () => {
        counts.refused += 1;
        resolve();
      });
      message.end(body);
    });
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    for (; sent < due; sent++) {
      const asked = target.requests[sent % target.requests.length];
      if (asked === undefined) return;
      const one = send(asked).then(() => void inFlight.delete(one));
      inFlight.add(one);
    }
  }, TICK_MS);
  try {
    await sleep(FILLING_MS, undefined, { signal });
    return await work();
  } finally {
    clearInterval(timer);
    await Promise.all(inFlight);
    agent.destroy();
  }
}

interface Counts {
  good: number;
  refused: number;
}
