import { query, type Executor } from './connect.ts';

/** Counts one more mail of a kind to an account; `false` when the running hour's share is used up. */
export async function take(
  tx: Executor,
  accountId: string,
  kind: string,
  mailsPerHour: number,
): Promise<boolean> {
  const rows = await query(
    tx,
    `insert into mail_quota as quota (account_id, kind) values (?, ?)
     on conflict (account_id, kind) do update
     set
       sent = case when quota.window_started_at <= now() - interval '1 hour' then 1 else quota.sent + 1 end,
       window_started_at = case
         when quota.window_started_at <= now() - interval '1 hour' then now() else quota.window_started_at end
     where quota.sent < ? or quota.window_started_at <= now() - interval '1 hour'
     returning sent`,
    [accountId, kind, mailsPerHour],
  );
  return rows.length === 1;
}
