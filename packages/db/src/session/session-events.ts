import { query, type Executor } from '../postgres/connect.ts';

export interface SessionChange {
  xact: string;
  seq: string;
  sessionId: string;
  accountId: string;
  status: number;
  changedAt: Date;
  tokenExpiresAt: Date;
}

/** A position among the events, directly after this one. */
export type EventPosition = Pick<SessionChange, 'xact' | 'seq'>;

export const BEGINNING: EventPosition = { xact: '0', seq: '0' };

/**
 * Up to `max` changes after a position, in the order of their transactions, and the position after which a reader continues. Changes of transactions that began after
 * the oldest running one are returned only after that one has ended: so a reader never misses a change that was
 * committed late. `standingEnds`: only ends of sessions, and only those that have not been undone since. At the end of the list, `next` is also after all changes that were left out, so that they are not read
 * again.
 */
export async function findChanges(
  executor: Executor,
  position: EventPosition,
  { max, standingEnds }: { max: number; standingEnds: boolean },
) {
  const sql = `${FOUND_UP_TO} and e.xact < h.horizon ${standingEnds ? STANDING_ENDS : ''} ${IN_ORDER}`;
  const rows = await query<Found>(executor, sql, { ...position, max });
  return { changes: rows.filter(isChange), next: nextOf(rows, position, max) };
}

/**
 * A position before every change of the last `seconds`. Found by binary search: sequence numbers increase with time,
 * except for the seconds that transactions take, for which a minute is added.
 */
export async function findPositionOfLast(executor: Executor, seconds: number): Promise<EventPosition> {
  const sql = `with recursive since as (
      select now() - make_interval(secs => :seconds) - interval '1 minute' as moment
    ),
    halved (low, high) as (
      select min(seq), max(seq) from session_event
      union all
      select case when met.changed_at < since.moment then met.middle + 1 else low end,
        case when met.changed_at < since.moment then high else met.middle end
      from halved, since, lateral (
        select (low + high) / 2 as middle, changed_at
        from session_event
        where seq >= (low + high) / 2
        order by seq
        limit 1
      ) met
      where low < high
    )
    select xact, seq - 1 as seq
    from session_event
    where seq >= (select max(low) from halved)
    order by seq
    limit 1`;
  return (await query.row<EventPosition>(executor, sql, { seconds })) ?? BEGINNING;
}

/** A change after a position, or a row without a change if there is none. */
type Found = { horizon: string } & (SessionChange | Record<keyof SessionChange, null>);

/**
 * A transaction that began early may be the last to change a session, because it waited for the session's lock. The
 * sequence numbers show the true order, the transaction ids do not. A change that would be read after a later change of
 * the same session is left out, so that the last change read of a session is always the latest.
 */
export const NOT_OVERTAKEN = `not exists (
        select from session_event later
        where later.session_id = e.session_id and later.seq > e.seq and later.xact < e.xact
      )`;

const FOUND_UP_TO = `
  select h.horizon, e.*
  from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) h
  left join lateral (
    select e.xact, e.seq, e.session_id as "sessionId", e.account_id as "accountId", e.status,
      e.changed_at as "changedAt", e.token_expires_at as "tokenExpiresAt"
    from session_event e
    where (e.xact, e.seq) > (cast(:xact as xid8), cast(:seq as bigint))
      and ${NOT_OVERTAKEN}`;

const STANDING_ENDS = `
      and e.status not in (1, 2, 5)
      and not exists (
        select from session_event later
        where later.session_id = e.session_id and later.seq > e.seq and later.status in (1, 2, 5)
      )`;

const IN_ORDER = `
    order by e.xact, e.seq
    limit :max
  ) e on true
  order by e.xact, e.seq`;

function isChange(row: Found): row is Found & SessionChange {
  return row.xact !== null;
}

/** The position after the last change of a full page, otherwise after everything that can be read. */
function nextOf(rows: readonly Found[], position: EventPosition, max: number): EventPosition {
  const last = rows.findLast(isChange);
  const horizon = rows[0]?.horizon;
  const isFull = rows.length === max && last !== undefined;
  if (isFull || horizon === undefined) return last ?? position;
  // Never move the reader back, which could happen after switching to a server that is behind.
  return BigInt(horizon) > BigInt(position.xact) ? { xact: horizon, seq: '0' } : position;
}
