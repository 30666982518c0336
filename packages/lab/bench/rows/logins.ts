import { Agent, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, mediansOf } from '../compare.ts';
import { ask, load, type Asked, type Round, type Target } from '../load.ts';
import type { Bench, Row } from '../row.ts';
import { openPasswords } from '../system.ts';

/** Enough to keep all threads busy, and few enough not to fill the queue. */
const BUSY = { connections: 4 * availableParallelism() };
/** A login takes as long as hundreds of pings. */
const LONGER = 2;

export const login: Row = {
  name: 'login',
  async measure(bench) {
    const { signal, sizes } = bench;
    const target = (await bench.system()).core.login;
    // On as many threads as there are cores.
    const passwords = openPasswords({ pepper: 'any', cost: 10, threads: 0 });
    bench.onEnd(() => passwords.close());
    const seconds = LONGER * sizes.seconds;
    const hashesPerSecond = async (): Promise<number> => {
      const began = performance.now();
      let done = 0;
      const next = async (): Promise<void> => {
        while (performance.now() - began < seconds * 1000) {
          await passwords.verifyNothing('correct horse battery');
          done += 1;
        }
      };
      await Promise.all(Array.from({ length: BUSY.connections }, next));
      return (done * 1000) / (performance.now() - began);
    };
    const [hashes, logins]: [number[], number[]] = [[], []];
    await load(target, seconds, signal, BUSY);
    await hashesPerSecond();
    for (let round = 0; round < sizes.rounds; round++) {
      hashes.push(await hashesPerSecond());
      logins.push((await load(target, seconds, signal, BUSY)).requestsPerSecond);
    }
    const value = median(logins.map((rate, round) => rate / (hashes[round] ?? Number.NaN)));
    const detail = `${median(logins).toFixed(1)} logins/s; the hash alone ${median(hashes).toFixed(1)}/s on ${availableParallelism()} cores`;
    const names = { title: 'logins at bcrypt cost 10', against: 'hashing alone on all cores' };
    return [{ id: 'login', ...names, value, unit: '×', detail }];
  },
};

/** Ten times the pings of a thousand people, but few enough that pings do not queue behind each other. */
const PINGS_PER_SECOND = 200;
/** A p99 is decided by one sample in a hundred: this is 9,000 pings in each round. */
const MUCH_LONGER = 30;

export const flood: Row = {
  name: 'flood',
  async measure(bench) {
    const { signal, sizes } = bench;
    const targets = (await bench.system()).core;
    const perSecond = await twiceTheCapacity(targets.login, bench);
    const pings = () =>
      load(targets.ping, MUCH_LONGER * sizes.seconds, signal, { perSecond: PINGS_PER_SECOND });
    await pings();
    const [alone, flooded]: [Round[], Round[]] = [[], []];
    const counts = { good: 0, refused: 0 };
    for (let round = 0; round < Math.min(3, sizes.rounds); round++) {
      alone.push(await pings());
      flooded.push(await besideFlood(targets.login, perSecond, { signal, counts }, pings));
    }
    const [quiet, busy] = [mediansOf(alone), mediansOf(flooded)];
    const refused = ((100 * counts.refused) / (counts.good + counts.refused)).toFixed(0);
    const detail = `p99 alone ${quiet.p99.toFixed(2)} ms (${spread(alone)}), during the flood ${busy.p99.toFixed(2)} ms (${spread(flooded)}; p50 ${quiet.p50.toFixed(2)} and ${busy.p50.toFixed(2)} ms), at ${PINGS_PER_SECOND} pings/s; of ${perSecond} logins/s ${refused} % refused`;
    const title = 'p99 of ping during a flood of logins at twice the capacity : p99 of ping alone';
    return [{ id: 'flood', title, value: busy.p99 / quiet.p99, unit: '×', detail }];
  },
};

function spread(rounds: readonly Round[]): string {
  const values = rounds.map(({ p99Milliseconds }) => p99Milliseconds);
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
}

const LOGINS = 20;
/** What a login that fails counts as. */
const FAILED_MS = 60_000;

export const fairLogins: Row = {
  name: 'fair-logins',
  async measure(bench) {
    const { signal } = bench;
    const target = (await bench.system()).core.login;
    const perSecond = await twiceTheCapacity(target, bench);
    /** The times of logins, each from another address. */
    const measureAll = async (network: string): Promise<number[]> => {
      const times: number[] = [];
      for (const [at, asked] of target.requests.slice(0, LOGINS).entries()) {
        const began = performance.now();
        const headers = { ...asked.headers, 'x-forwarded-for': `${network}.${at}` };
        const answer = await ask(target.url, { ...asked, headers }, signal);
        await answer.arrayBuffer();
        times.push(answer.ok ? performance.now() - began : FAILED_MS);
      }
      return times;
    };
    const alone = await measureAll('198.51.100');
    const beside = await besideFlood(target, perSecond, { signal }, () => measureAll('203.0.113'));
    const succeeded = beside.filter((milliseconds) => milliseconds < FAILED_MS).length;
    const detail = `${succeeded} of ${LOGINS} succeeded, median ${median(beside).toFixed(0)} ms (alone ${median(alone).toFixed(0)} ms), beside ${perSecond} logins/s from one address`;
    const title = 'the slowest of 20 logins of others during a flood of logins from one address';
    return [{ id: 'fair-logins', title, value: Math.max(...beside) / 1000, unit: 's', detail }];
  },
};

/** Twice as many requests per second as the server answers. */
async function twiceTheCapacity(target: Target, { sizes, signal }: Bench): Promise<number> {
  return Math.ceil(2 * (await load(target, 2 * sizes.seconds, signal, BUSY)).requestsPerSecond);
}

/** The maximum of connections. Additional requests wait here for a free connection instead of at the server. */
const CONNECTIONS_MAX = 1000;
const TICK_MS = 10;
/** Long enough to fill the queue of passwords. */
const FILLING_MS = 3000;

/** Works while so many requests arrive per second, answered or not. Waits for them, and counts them. */
async function besideFlood<T>(
  target: Target,
  perSecond: number,
  {
    signal,
    counts = { good: 0, refused: 0 },
  }: { signal: AbortSignal; counts?: { good: number; refused: number } },
  work: () => Promise<T>,
): Promise<T> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const { hostname, port } = new URL(target.url);
  const inFlight = new Set<Promise<void>>();
  const began = performance.now();
  let sent = 0;
  const send = ({ method, path, headers = {}, body }: Asked): Promise<void> =>
    new Promise((resolve) => {
      const message = request({ hostname, port, agent, method, path, headers }, (response) => {
        counts[response.statusCode === 200 ? 'good' : 'refused'] += 1;
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
