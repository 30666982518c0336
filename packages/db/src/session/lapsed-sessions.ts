import { query, type Transaction } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';
import { RECORD } from './user-sessions.ts';

const RAN_OUT_AT_REST =
  '(expires_at <= now() or last_seen_at <= now() - make_interval(secs => :idleSeconds))';

/** Up to `max` active sessions that have expired, according to Postgres. */
export const find = statement.rows<
  { sessionId: string; accountId: string },
  { idleSeconds: number; max: number }
>(`select id as "sessionId", account_id as "accountId"
  from user_session where ended_at is null and ${RAN_OUT_AT_REST}
  limit :max`);

/** Ends those of the sessions that have expired; because of `skip locked`, several processes share the work. */
export async function end(
  tx: Transaction,
  sessionIds: readonly string[],
  options: { tokenSeconds: number; idleSeconds: number; expiredStatus: number },
): Promise<{ id: string; accountId: string; tag: string }[]> {
  const sql = `with lapsed as (
      select id from user_session
      where id = any(cast(:sessionIds as uuid[])) and ended_at is null and ${RAN_OUT_AT_REST}
      for update skip locked
    ),
    changed as (
      update user_session s
      set status = cast(:expiredStatus as smallint), end_reason = 'expired', ended_at = now(), version = version + 1
      from lapsed where s.id = lapsed.id
      returning s.id, s.account_id, s.tag, s.status
    ), ${RECORD}
    select id, account_id as "accountId", tag from changed`;
  return await query(tx, sql, { ...options, sessionIds, changedBy: null, reason: 'expired' });
}
