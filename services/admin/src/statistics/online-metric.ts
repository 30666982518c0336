import { overview, type Db } from '@gatehouse/db';
import { Gauge, type Metrics } from '@gatehouse/runtime';

const REMEMBERED_MS = 10_000;
const COUNT_MAX = 100_000;

/** A metric of the number of online sessions, the same in each Admin; absent without Postgres. */
export function measureOnline(options: { db: Db; onlineWindowSeconds: number; metrics: Metrics }): void {
  const { db, onlineWindowSeconds, metrics } = options;
  let countedAt = -Infinity;
  const online = new Gauge({
    name: 'gatehouse_sessions_online',
    help: 'Sessions seen within ONLINE_WINDOW_SECONDS, up to 100000',
    registers: [],
    async collect() {
      if (performance.now() - countedAt < REMEMBERED_MS) return;
      countedAt = performance.now();
      try {
        this.set(await overview.countOnline(db, { max: COUNT_MAX, onlineWindowSeconds }));
      } catch {
        this.remove();
      }
    },
  });
  metrics.registerMetric(online);
}
