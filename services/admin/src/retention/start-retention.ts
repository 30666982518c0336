import { deleteOldRows, eraseExpiredGuests, type OpenAccounts } from '@gatehouse/accounts';
import type { RetainedTable } from '@gatehouse/db';
import { Counter, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import { checkRetention, type RetentionSettings } from './retention-settings.ts';

const EVERY_SECONDS = 600;

/** Of one table at a time: some 50,000 rows take a few seconds, and leave the database time for others. */
const BATCHES_MAX = 50;

/**
 * Deletes until the service stops what was kept for long enough: ended sessions, the history of sessions, the
 * audit; and has guests erased who have no content left.
 *
 * @throws {ConfigError} for settings that do not go together.
 */
export function startRetention(
  accounts: OpenAccounts,
  settings: RetentionSettings,
  { lifecycle, metrics }: { lifecycle: Pick<Lifecycle, 'every' | 'stopping'>; metrics: Metrics },
): void {
  checkRetention(settings);
  const counter = new Counter({
    name: 'gatehouse_retention_deleted_total',
    help: 'Rows that were deleted because they had been kept for long enough, by table',
    labelNames: ['table'],
    registers: [metrics],
  });
  const keepDays: Record<RetainedTable, number> = {
    user_session: settings.SESSION_KEEP_DAYS,
    session_event: settings.SESSION_EVENT_KEEP_DAYS,
    audit: settings.AUDIT_KEEP_DAYS,
  };
  // Their keys are those of the record.
  for (const [table, days] of Object.entries(keepDays) as [RetainedTable, number][]) {
    counter.inc({ table }, 0);
    if (days === 0) continue;
    lifecycle.every(EVERY_SECONDS, `deleting old rows of ${table}`, () =>
      deleteOldRows(accounts.db, table, {
        keepDays: days,
        batchesMax: BATCHES_MAX,
        deleted: (count) => counter.inc({ table }, count),
        isStopping: () => lifecycle.stopping,
      }),
    );
  }
  const days = settings.GUEST_ERASE_DAYS;
  counter.inc({ table: 'account' }, 0);
  if (days === 0) return;
  lifecycle.every(EVERY_SECONDS, 'erasing guests without content', async () => {
    const count = await eraseExpiredGuests(accounts, { days, isStopping: () => lifecycle.stopping });
    counter.inc({ table: 'account' }, count);
  });
}
