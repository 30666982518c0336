import { availableParallelism } from 'node:os';
import { readMetric } from '../system/core-targets.ts';
import { load, type Round, type Target } from '../load/load.ts';
import type { Row } from '../row.ts';
import { median, mediansOf, whole } from '../load/rounds.ts';

const CONNECTIONS = 32;
const COST = 4;
const USERS = 200;

export const twoProcesses: Row = {
  name: 'two-processes',
  about: 'pings with two Core processes, compared with one',
  limits: `If nothing else slows the machine, a ping takes 36 µs of CPU in Core, 4 in Redis and 13 in the client. So one process together with Redis and the
client uses one and a half of two cores, and only half a core remains for a second process. A machine with more cores is needed.`,
  async measure(bench) {
    const { signal, sizes } = bench;
    const system = await bench.ownSystem({ bcryptCost: COST, users: USERS, scale: 2 });
    const one = system.core.ping;
    const [, other] = system.stack.facts.instances?.['core'] ?? [];
    if (other?.url === undefined) throw new Error('there is no second instance of Core');
    const metricsUrl = `${other.internalUrl}/metrics`;
    const cpuSeconds = (): Promise<number> => readMetric(metricsUrl, 'process_cpu_seconds_total');
    const pair = [half(one, 0), { ...half(one, 1), url: other.url, cpuSeconds }];
    const loadOne = (): Promise<Round> => load(one, sizes.seconds, signal, { connections: CONNECTIONS });
    const loadBoth = (): Promise<Round[]> =>
      Promise.all(
        pair.map((target) => load(target, sizes.seconds, signal, { connections: CONNECTIONS / 2 })),
      );
    await loadOne();
    await loadBoth();
    const [single, double]: [Round[], Round[][]] = [[], []];
    for (let round = 0; round < sizes.rounds; round++) {
      single.push(await loadOne());
      double.push(await loadBoth());
    }
    const [alone, together] = [mediansOf(single), mediansOf(double.flat())];
    const rates = double.map((rounds) => rounds.reduce((sum, round) => sum + round.requestsPerSecond, 0));
    const cores = availableParallelism();
    const detail = `${whole(median(rates))}/s and ${together.cpu.toFixed(0)} µs of CPU per request with two, ${whole(alone.rate)}/s and ${alone.cpu.toFixed(0)} µs with one; ${cores} cores for Core, the servers and the client`;
    bench.say(`  ${detail}`);
    const value = median(rates.map((rate, round) => rate / (single[round]?.requestsPerSecond ?? Number.NaN)));
    const cpuRatio = alone.cpu / together.cpu;
    const title = 'pings with two processes of Core : with one';
    return [{ id: 'two-processes', title, value, unit: '×', bar: { atLeast: 1.6 }, detail, cpuRatio }];
  },
};

function half(target: Target, which: 0 | 1): Target {
  return { ...target, requests: target.requests.filter((_asked, at) => at % 2 === which) };
}
