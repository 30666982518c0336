import { deleteOldRows, eraseOldAccounts, type OpenAccounts } from '@gatehouse/accounts';
import type { RetainedTable } from '@gatehouse/db';
import { Counter, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import { checkRetention, type RetentionSettings } from './retention-settings.ts';

const EVERY_SECONDS = 600;

/** Limits one table's turn to about 50,000 rows, which take a few seconds, so that the database can serve others. */
const BATCHES_MAX = 50;

/**
 * Deletes old data until the service stops: ended sessions, the history of sessions,
 * sign-ins, the audit; and requests the erasure of guests who have no content left, and of accounts that nobody has verified.
 *
 * @throws {ConfigError} for contradictory settings.
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
    sign_in: settings.SIGN_IN_KEEP_DAYS,
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
  counter.inc({ table: 'account' }, 0);
  for (const [kind, days] of [
    ['guests', settings.GUEST_ERASE_DAYS],
    ['unverified', settings.UNVERIFIED_KEEP_DAYS],
  ] as const) {
    if (days === 0) continue;
    lifecycle.every(EVERY_SECONDS, `erasing old accounts: ${kind}`, async () => {
      const count = await eraseOldAccounts(accounts, kind, { days, isStopping: () => lifecycle.stopping });
      counter.inc({ table: 'account' }, count);
    });
  }
}
