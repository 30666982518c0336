import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, type Asked } from '../load/load.ts';
import { median } from '../load/rounds.ts';
import { startFlood } from '../load/start-flood.ts';
import type { Row } from '../row.ts';

/** Long enough to fill the flood's share of the queue. */
const FILLING_MS = 3000;
const LOGINS = 20;
/** What a login that fails counts as. */
const FAILED_MS = 60_000;

export const fairLogins: Row = {
  name: 'fair-logins',
  about: 'logins of others while logins from one address arrive at twice the capacity',
  async measure(bench) {
    const { signal, sizes } = bench;
    const { login } = (await bench.system()).core;
    const connections = 4 * availableParallelism();
    const capacity = await load(login, 2 * sizes.seconds, signal, { connections });
    const perSecond = Math.ceil(2 * capacity.requestsPerSecond);
    const requests = login.requests.slice(0, LOGINS);
    const measureAll = async (network: string): Promise<number[]> => {
      const times: number[] = [];
      for (const [at, asked] of requests.entries())
        times.push(await timeOf(login.url, asked, `${network}.${at}`, signal));
      return times;
    };
    const alone = await measureAll('198.51.100');
    const flood = startFlood(login, perSecond);
    let beside: number[];
    try {
      await sleep(FILLING_MS, undefined, { signal });
      beside = await measureAll('203.0.113');
    } finally {
      await flood.stop();
    }
    const succeeded = beside.filter((milliseconds) => milliseconds < FAILED_MS).length;
    const detail = `${succeeded} of ${LOGINS} succeeded, median ${median(beside).toFixed(0)} ms (alone ${median(alone).toFixed(0)} ms), beside ${perSecond} logins/s from one address`;
    bench.say(`  ${detail}`);
    const title = 'the slowest of 20 logins of others during a flood of logins from one address';
    const value = Math.max(...beside) / 1000;
    return [{ id: 'fair-logins', title, value, unit: 's', bar: { atMost: 2 }, detail }];
  },
};

/** The time of a login from this address. */
async function timeOf(
  url: string,
  { method, path, headers, body }: Asked,
  address: string,
  signal: AbortSignal,
): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url + path, {
    method,
    signal,
    headers: { ...headers, 'x-forwarded-for': address },
    ...(body !== undefined && { body }),
  });
  await answer.arrayBuffer();
  return answer.ok ? performance.now() - began : FAILED_MS;
}
