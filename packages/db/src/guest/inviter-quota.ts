import { query, type Transaction } from '../postgres/connect.ts';

/**
 * Counts the invitations of an inviter (an account or a static API token), either all or none. `undefined` if they are
 * within the day’s quota; otherwise the seconds until the next day begins.
 */
export async function take(tx: Transaction, inviterId: string, options: { count: number; perDay: number }) {
  const sql = `insert into inviter_quota as quota (inviter_id, sent) values (:inviterId, :count)
    on conflict (inviter_id) do update
    set
      sent = case when ${IS_OVER} then :count else quota.sent + :count end,
      window_started_at = case when ${IS_OVER} then now() else quota.window_started_at end
    where quota.sent + :count <= :perDay or ${IS_OVER}
    returning sent`;
  const rows = await query(tx, sql, { inviterId, ...options });
  return rows.length === 1 ? undefined : await secondsLeft(tx, inviterId);
}

const IS_OVER = "quota.window_started_at <= now() - interval '1 day'";

async function secondsLeft(tx: Transaction, inviterId: string): Promise<number> {
  const sql = `select extract(epoch from window_started_at + interval '1 day' - now())::float8 as seconds
    from inviter_quota
    where inviter_id = ?`;
  return (await query.value<number>(tx, sql, [inviterId])) ?? 0;
}
