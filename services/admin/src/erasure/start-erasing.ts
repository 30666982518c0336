import { eraseDueAccounts } from '@gatehouse/accounts';
import { erasures, type Db } from '@gatehouse/db';
import { Counter, Gauge, type Lifecycle, type Metrics } from '@gatehouse/runtime';

/** How soon an account is erased when its erasure is due. */
const EVERY_SECONDS = 5;
const REMEMBERED_MS = 10_000;

/** Erases accounts that are due until the service stops, and counts failures in a metric. */
export function startErasing(
  accounts: Parameters<typeof eraseDueAccounts>[0],
  { lifecycle, metrics }: { lifecycle: Pick<Lifecycle, 'every'>; metrics: Metrics },
): void {
  const tries = new Counter({
    name: 'gatehouse_erasures_total',
    help: 'Accounts that were erased, and tries to erase one that failed',
    labelNames: ['result'],
    registers: [metrics],
  });
  tries.inc({ result: 'erased' }, 0);
  tries.inc({ result: 'failed' }, 0);
  measureOverdue(accounts.db, metrics);
  const onFailure = (): void => tries.inc({ result: 'failed' });
  lifecycle.every(EVERY_SECONDS, 'erasing accounts', async () => {
    tries.inc({ result: 'erased' }, await eraseDueAccounts(accounts, onFailure));
  });
}

function measureOverdue(db: Db, metrics: Metrics): void {
  let lookedAt = -Infinity;
  const overdue = new Gauge({
    name: 'gatehouse_erasures_overdue_seconds',
    help: 'For how long the account that waits longest should have been erased, 0 without one',
    registers: [],
    async collect() {
      if (performance.now() - lookedAt < REMEMBERED_MS) return;
      lookedAt = performance.now();
      try {
        this.set(await erasures.overdueSeconds(db));
      } catch {
        this.remove();
      }
    },
  });
  metrics.registerMetric(overdue);
}
