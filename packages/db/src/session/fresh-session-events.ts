import { query, type Executor } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';
import { NOT_OVERTAKEN, type EventPosition, type SessionChange } from './session-events.ts';

/**
 * Which transactions were committed at a time, as Postgres writes it: `xmin:xmax:xip_list` (PostgreSQL 9.28,
 * `pg_snapshot`).
 */
type Snapshot = string;

/** A snapshot in which nothing is visible. */
const NOTHING: Snapshot = '1:1:';

/** The changes after a position that became visible between two snapshots. */
export interface FreshRange {
  after: EventPosition;
  /** Changes that are visible in this snapshot are already known. */
  seen?: Snapshot | undefined;
  /** Defaults to everything that is committed by now. */
  upTo?: Snapshot | undefined;
}

/** A snapshot of everything that is committed by now. */
export const takeSnapshot = statement.onlyValue<Snapshot>('select pg_current_snapshot() as snapshot');

/** The position before which every change was visible in the snapshot: no further change will appear there. */
export function settledPositionOf(snapshot: Snapshot): EventPosition {
  const [xmin = ''] = snapshot.split(':');
  return { xact: xmin, seq: '0' };
}

/**
 * Up to `max` changes, without waiting for running transactions: changes with earlier positions may still appear. A
 * caller who continues after a full page keeps using its `snapshot`; after the last page, it has seen everything
 * visible in that snapshot.
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

/**
 * The changes that were not visible in a snapshot belong to transactions that began since, or that were running then.
 * The index finds both quickly, even if a long transaction delays many changes.
 */
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
