import { scheduleErasure, write, type AccountsDeps } from '@gatehouse/accounts';
import { accountAdmin, guestAccounts, query, type Transaction } from '@gatehouse/db';
import { ConfigError, Counter, withinSeconds, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import { Type, type Static, type TObject } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';

export type RetentionSettings = Readonly<Static<TObject<ReturnType<typeof retentionSettings>>>>;

/** A hundred years. */
const DAYS_MAX = 36_500;
const AUDIT_DAYS_MIN = 90;

/** The settings of `startRetention`. The database enforces the same minimums regardless of the settings. */
export function retentionSettings() {
  return {
    // An address with a login within 90 days counts as known (docs/decisions/0014-login-throttle.md).
    SESSION_KEEP_DAYS: inDays(400, 90, 'How long a session is kept after its end'),
    // Verifiers read the ended sessions whose access tokens may not have expired yet: at most one day.
    SESSION_EVENT_KEEP_DAYS: inDays(400, 7, 'How long the history of sessions is kept'),
    SIGN_IN_KEEP_DAYS: inDays(30, 1, 'How long sign-ins and refused attempts are kept'),
    AUDIT_KEEP_DAYS: inDays(0, 0, `How long the audit is kept, ${AUDIT_DAYS_MIN} days at least; 0 forever`),
    UNVERIFIED_KEEP_DAYS: inDays(14, 0, 'How long an unverified registration is kept; 0 forever'),
    GUEST_ERASE_DAYS: inDays(0, 0, 'After how many days without content a guest is erased; 0 never'),
  };
}

/** @throws {ConfigError} if the audit would be retained for less than its minimum. */
export function checkRetention({ AUDIT_KEEP_DAYS }: RetentionSettings): void {
  if (AUDIT_KEEP_DAYS > 0 && AUDIT_KEEP_DAYS < AUDIT_DAYS_MIN)
    throw new ConfigError(`AUDIT_KEEP_DAYS must be 0, for ever, or at least ${AUDIT_DAYS_MIN}`);
}

function inDays(standard: number, minimum: number, description: string) {
  return Type.Integer({ default: standard, minimum, maximum: DAYS_MAX, description });
}

const EVERY_SECONDS = 600;

/** Limits one table's turn to about 50,000 rows, which take a few seconds, so that the database can serve others. */
const BATCHES_MAX = 50;

/**
 * Deletes old data until the service stops: ended sessions, the history of sessions, sign-ins, the audit; and requests
 * the erasure of guests who have no content left, and of accounts that nobody has verified.
 *
 * @throws {ConfigError} for contradictory settings.
 */
export function startRetention(
  accounts: AccountsDeps,
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
  // Their keys are those of the record.
  for (const table of Object.keys(RETAINED) as RetainedTable[]) {
    const days = settings[RETAINED[table].setting];
    counter.inc({ table }, 0);
    if (days === 0) continue;
    lifecycle.every(EVERY_SECONDS, `deleting old rows of ${table}`, () =>
      deleteOldRows(accounts, table, {
        keepDays: days,
        batchesMax: BATCHES_MAX,
        deleted: (count) => counter.inc({ table }, count),
        isStopping: () => lifecycle.stopping,
      }),
    );
  }
  counter.inc({ table: 'account' }, 0);
  for (const kind of ['guests', 'unverified'] as const) {
    const days = settings[OLD[kind].setting];
    if (days === 0) continue;
    lifecycle.every(EVERY_SECONDS, `erasing old accounts: ${kind}`, async () => {
      const count = await eraseOldAccounts(accounts, kind, { days, isStopping: () => lifecycle.stopping });
      counter.inc({ table: 'account' }, count);
    });
  }
}

const SYSTEM = { kind: 'System' } as const;

/** Old rows are deleted by functions of the database, because no service has the right to delete any itself. */
const RETAINED = {
  user_session: { setting: 'SESSION_KEEP_DAYS', forget: 'forget_sessions' },
  session_event: { setting: 'SESSION_EVENT_KEEP_DAYS', forget: 'forget_session_events' },
  sign_in: { setting: 'SIGN_IN_KEEP_DAYS', forget: 'forget_sign_ins' },
  audit: { setting: 'AUDIT_KEEP_DAYS', forget: 'forget_audit' },
} as const;

export type RetainedTable = keyof typeof RETAINED;

const ROWS_MAX = 1000;

/**
 * Deletes the rows of a table that are older than `keepDays`, or than the minimum of the table that the database
 * enforces, up to `batchesMax` times a thousand; calls `deleted` after each batch. The age of a session counts from its
 * end. Any number of processes may call it: each takes rows that no other has locked.
 */
export async function deleteOldRows(
  deps: AccountsDeps,
  table: RetainedTable,
  options: {
    keepDays: number;
    batchesMax: number;
    deleted: (count: number) => void;
    isStopping: () => boolean;
  },
): Promise<void> {
  const { keepDays, batchesMax, deleted, isStopping } = options;
  const sql = `select ${RETAINED[table].forget}(:keepDays, :max) as count`;
  for (let batch = 0; batch < batchesMax && !isStopping(); batch += 1) {
    const count = await write(deps, { actor: SYSTEM }, async (tx) => {
      return (await query.value<number>(tx, sql, { keepDays, max: ROWS_MAX })) ?? 0;
    });
    if (count === 0) return;
    deleted(count);
  }
}

const ACCOUNTS_MAX = 1000;

/** Accounts `a` that can be erased, and the order in which they are. */
const OLD = {
  /** Guests who have been without content. They own none, so their erasure takes nothing from others. */
  guests: {
    setting: 'GUEST_ERASE_DAYS',
    condition: `a.content_expired_at <= now() - make_interval(days => :days) and ${guestAccounts.EXPIRED_WITHOUT_CONTENT}
      and not exists (select 1 from content_definition c where c.owner_id = a.id)`,
    order: 'a.content_expired_at',
  },
  /** Accounts that nobody has verified, and that have no valid code. */
  unverified: {
    setting: 'UNVERIFIED_KEEP_DAYS',
    condition: `${accountAdmin.UNVERIFIED} and a.created_at <= now() - make_interval(days => :days)
      and not exists (select 1 from account_code c where c.account_id = a.id and c.expires_at > now())`,
    order: 'a.id',
  },
} as const;

/**
 * Orders the erasure, due at once, of accounts that have been of this kind for more than `days`, and returns how many.
 * An account that is used meanwhile stays: this is checked while it is locked. Any number of processes may call it.
 */
export async function eraseOldAccounts(
  deps: AccountsDeps,
  kind: keyof typeof OLD,
  { days, isStopping }: { days: number; isStopping: () => boolean },
): Promise<number> {
  const { condition, order } = OLD[kind];
  const sql = `select a.id from account a where ${condition} order by ${order} limit :max`;
  const found = await query<{ id: string }>(deps.db, sql, { days, max: ACCOUNTS_MAX });
  let count = 0;
  for (const { id: accountId } of found) {
    if (isStopping()) break;
    const own = `select 1 from account a where a.id = :accountId and ${condition}`;
    const use = (tx: Transaction) => query.any(tx, own, { accountId, days });
    const origin = { ...withinSeconds(10), traceId: newId().replaceAll('-', '') };
    const ordered = await scheduleErasure(
      deps,
      { accountId, actor: SYSTEM, moment: new Date(0), use },
      origin,
    );
    if (ordered.kind === 'scheduled') count += 1;
  }
  return count;
}
