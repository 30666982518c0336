import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor } from '../postgres/connect.ts';

/** A change of a session's status. */
export interface SessionEvent {
  xact: string;
  seq: string;
  sessionId: string;
  accountId: string;
  status: number;
  changedAt: Date;
  reason: string;
  tokenExpiresAt: Date;
}

/** A place among the events, behind one of them. */
export type EventPosition = Pick<SessionEvent, 'xact' | 'seq'>;

/** All changes, to be counted. */
export function rowsOf(): CountableRows {
  return { sql: 'select 1 from session_event', bindings: {} };
}

/**
 * Up to `max` changes behind a position, in the order of their transactions. Those of transactions that began
 * after the oldest one still running wait for it: a reader that has gone past a change never misses one that
 * was committed late.
 */
export async function findBehind(
  executor: Executor,
  position: EventPosition,
  max: number,
): Promise<SessionEvent[]> {
  return await query<SessionEvent>(
    executor,
    `select xact, seq, session_id as "sessionId", account_id as "accountId", status, changed_at as "changedAt",
       reason, token_expires_at as "tokenExpiresAt"
     from session_event
     where (xact, seq) > (cast(:xact as xid8), cast(:seq as bigint))
       and xact < pg_snapshot_xmin(pg_current_snapshot())
     order by xact, seq
     limit :max`,
    { ...position, max },
  );
}
