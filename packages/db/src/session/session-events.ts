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

/** A position among the events: after this one. */
export type EventPosition = Pick<SessionEvent, 'xact' | 'seq'>;

/** All changes, to be counted. */
export function rowsOf(): CountableRows {
  return { sql: 'select 1 from session_event', bindings: {} };
}

/**
 * Up to `max` changes after a position, in the order of their transactions. Changes of transactions that began after
 * the oldest running one wait for it: a reader past a position never misses a change that was committed late.
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
