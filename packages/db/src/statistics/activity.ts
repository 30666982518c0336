import { createGathered } from '@gatehouse/runtime';
import { query, type Executor } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';

/** The events that are counted (docs/statistics.md). Providers, conditions and reasons have a limited set of values. */
export type ActivityKind =
  | 'login.password'
  | 'login.passkey'
  | 'login.email'
  | `login.sso.${string}`
  | `refused.${string}`
  | 'registration'
  | 'verification'
  | 'reset'
  | `session.${string}`
  | 'invitation.sent'
  | 'invitation.accepted'
  | 'mail.sent'
  | 'mail.parked'
  | 'refresh';

export interface ActivityCount {
  at: Date;
  kind: ActivityKind;
  count: number;
}

/** Adds counts to the stored ones. Rows are locked in the order of their key, so that processes cannot deadlock. */
export async function add(executor: Executor, counts: readonly ActivityCount[]): Promise<void> {
  if (counts.length === 0) return;
  const sql = `insert into activity (at, kind, count)
    select at, kind, count
    from unnest(cast(? as timestamptz[]), cast(? as text[]), cast(? as bigint[])) as given (at, kind, count)
    order by at, kind
    on conflict (at, kind) do update set count = activity.count + excluded.count`;
  await query(executor, sql, [
    counts.map(({ at }) => at.toISOString()),
    counts.map(({ kind }) => kind),
    counts.map(({ count }) => count),
  ]);
}

/** The sums from `from` (inclusive) to `to` (exclusive), per hour or per day (UTC), oldest first. */
export const findSums = statement.rows<ActivityCount, { from: Date; to: Date; interval: 'hour' | 'day' }>(`
  select date_trunc(cast(:interval as text), at, 'UTC') as at, kind, sum(count)::float8 as count
  from activity
  where at >= :from and at < :to
  group by 1, 2
  order by 1, 2`);

export const deleteOld = statement.run<[keepDays: number]>(
  'delete from activity where at < now() - make_interval(days => ?)',
);

const HOUR_MS = 3_600_000;

export type ActivityCounter = ReturnType<typeof createActivityCounter>;

/** Counts activity in memory and writes it to Postgres from time to time, so that no request waits for it. */
export function createActivityCounter(now: () => number = Date.now) {
  const counts = createGathered<string, ActivityCount>((earlier, later) => ({
    ...earlier,
    count: earlier.count + later.count,
  }));
  return {
    count: (kind: ActivityKind, times?: number): void => {
      const [at, count] = [new Date(Math.floor(now() / HOUR_MS) * HOUR_MS), times ?? 1];
      if (count > 0) counts.add(`${at.getTime()} ${kind}`, { at, kind, count });
    },

    /** Passes the counts since the last call to `save`; counts that cannot be saved are passed again next time. */
    flush: (save: (counts: readonly ActivityCount[]) => Promise<void>) =>
      counts.flush((taken) => save([...taken.values()])),
  };
}
