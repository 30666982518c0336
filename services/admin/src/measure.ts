import { Gauge, type Metrics } from '@gatehouse/runtime';

const REMEMBERED_MS = 10_000;

/** A metric that is read from Postgres when it is asked for, every ten seconds at most; absent without Postgres. */
export function measure(
  metrics: Metrics,
  named: { name: string; help: string },
  read: () => Promise<number>,
): void {
  let readAt = -Infinity;
  const gauge = new Gauge({
    ...named,
    registers: [],
    async collect() {
      if (performance.now() - readAt < REMEMBERED_MS) return;
      readAt = performance.now();
      try {
        this.set(await read());
      } catch {
        this.remove();
      }
    },
  });
  metrics.registerMetric(gauge);
}
