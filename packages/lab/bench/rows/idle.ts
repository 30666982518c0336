import { setTimeout as sleep } from 'node:timers/promises';
import { readMetric } from '../system/core-targets.ts';
import type { Row } from '../row.ts';

/** Start-up work is over by then. */
const SETTLING_SECONDS = 10;
const SECONDS = 30;
const COST = 4;

export const idle: Row = {
  name: 'idle',
  limits: `An idle service asks twice a second for waiting work, by which revocations also arrive, looks at its key files, measures the
lag of its event loop every 50 ms, and counts what waits.`,
  async measure(bench) {
    const { metricsUrls } = await bench.ownSystem({ bcryptCost: COST, users: 1 });
    const services = Object.entries(metricsUrls);
    const cpuSeconds = () =>
      Promise.all(services.map(([, url]) => readMetric(url, 'process_cpu_seconds_total')));
    await sleep(SETTLING_SECONDS * 1000, undefined, { signal: bench.signal });
    const [before, began] = [await cpuSeconds(), performance.now()];
    await sleep(SECONDS * 1000, undefined, { signal: bench.signal });
    const [after, seconds] = [await cpuSeconds(), (performance.now() - began) / 1000];
    const cpu = after.map((used, at) => (100 * (used - (before[at] ?? Number.NaN))) / seconds);
    const memory = await Promise.all(
      services.map(async ([, url]) => (await readMetric(url, 'process_resident_memory_bytes')) / 1e6),
    );
    const list = (values: readonly number[], digits: number) =>
      services.map(([name], at) => `${name} ${values[at]?.toFixed(digits)}`).join(', ');
    const details = { cpu: `over ${SECONDS} s: ${list(cpu, 2)}`, memory: `resident: ${list(memory, 0)}` };
    return [
      {
        id: 'idle-cpu',
        title: 'CPU of the busiest service when idle, of one core',
        value: Math.max(...cpu),
        unit: '%',
        bar: { atMost: 0.3 },
        detail: details.cpu,
      },
      {
        id: 'idle-memory',
        title: 'memory of the largest service at rest',
        value: Math.max(...memory),
        unit: 'MB',
        bar: { atMost: 110 },
        detail: details.memory,
      },
    ];
  },
};
