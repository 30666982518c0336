import { query, type Executor } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';

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
 * Changes after a position in the order of their transactions, but none of a transaction that began after the oldest
 * running one: so a reader misses none that is committed late. `standingEnds`: only ends that have not been undone.
 * `next`: where a reader continues, at the end also after all changes that were left out.
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

/** By binary search: sequence numbers increase with time, but for how long transactions take (here a minute). */
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
 * A transaction that began early may change a session last, having waited for its lock: sequence numbers show the
 * order, transaction ids do not. What would be read after a later change of its session is left out.
 */
const NOT_OVERTAKEN = `not exists (
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

/** The transactions committed at a time: `xmin:xmax:xip_list` (PostgreSQL 9.28, `pg_snapshot`). */
type Snapshot = string;

/** A snapshot in which nothing is visible. */
const NOTHING: Snapshot = '1:1:';

export interface FreshRange {
  after: EventPosition;
  /** Changes that are visible in this snapshot are already known. */
  seen?: Snapshot | undefined;
  /** Defaults to everything that is committed by now. */
  upTo?: Snapshot | undefined;
}

export const takeSnapshot = statement.onlyValue<Snapshot>('select pg_current_snapshot() as snapshot');

/** The position before which every change was visible in the snapshot: no further change will appear there. */
export function settledPositionOf(snapshot: Snapshot): EventPosition {
  const [xmin = ''] = snapshot.split(':');
  return { xact: xmin, seq: '0' };
}

/**
 * Does not wait for running transactions: earlier changes may still appear. After a full page, a caller continues with
 * its `snapshot`; after the last, it has seen all that is visible in that.
 */
export async function findFresh(
  executor: Executor,
  { after, seen = NOTHING, upTo }: FreshRange,
  max: number,
): Promise<{ changes: SessionChange[]; snapshot: Snapshot }> {
  const [, xmax = '', running = ''] = seen.split(':');
  const begun = BigInt(after.xact) < BigInt(xmax) ? { xact: xmax, seq: '0' } : after;
  const rows = await query<{ snapshot: Snapshot } & (SessionChange | { seq: null })>(executor, FRESH, {
    ...after,
    begunXact: begun.xact,
    begunSeq: begun.seq,
    running: `{${running}}`,
    upTo,
    max,
  });
  const [first] = rows;
  if (first === undefined) throw new Error('Postgres has no snapshot');
  const changes = rows.flatMap(({ snapshot: _, ...change }) => (change.seq === null ? [] : [change]));
  return { changes, snapshot: first.snapshot };
}

const pageOf = (condition: string): string => `
    (select e.xact, e.seq, e.session_id, e.account_id, e.status, e.changed_at, e.token_expires_at
    from session_event e
    where ${condition} and pg_visible_in_snapshot(e.xact, s.snapshot) and ${NOT_OVERTAKEN}
    order by e.xact, e.seq
    limit :max)`;

/** Of transactions that began since, or were running then: both are in the index, even if a long one delays many. */
const FRESH = `
  select cast(s.snapshot as text) as snapshot, e.xact, e.seq, e.session_id as "sessionId",
    e.account_id as "accountId", e.status, e.changed_at as "changedAt", e.token_expires_at as "tokenExpiresAt"
  from (select coalesce(cast(:upTo as pg_snapshot), pg_current_snapshot()) as snapshot) s
  left join lateral (
    ${pageOf('(e.xact, e.seq) > (cast(:begunXact as xid8), cast(:begunSeq as bigint))')}
    union all
    ${pageOf('(e.xact, e.seq) > (cast(:xact as xid8), cast(:seq as bigint)) and e.xact = any (cast(:running as xid8[]))')}
    order by xact, seq
    limit :max
  ) e on true
  order by e.xact, e.seq`;
