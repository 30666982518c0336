import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

const IS_OVER = "quota.window_started_at <= now() - interval '1 hour'";

const takeFrom = (table: string, owner: string) =>
  txStatement.any<[owner: string, kind: string, mailsPerHour: number]>(`
  insert into ${table} as quota (${owner}, kind) values (?, ?)
  on conflict (${owner}, kind) do update
  set
    sent = case when ${IS_OVER} then 1 else quota.sent + 1 end,
    window_started_at = case when ${IS_OVER} then now() else quota.window_started_at end
  where quota.sent < ? or ${IS_OVER}
  returning sent`);

/** Counts one more mail of a kind for an account; `false` if the hour’s quota is used up. */
export const take = takeFrom('mail_quota', 'account_id');

export const findUsedUp = statement.column<
  string,
  [accountIds: readonly string[], kind: string, mailsPerHour: number]
>(`select account_id as id
  from mail_quota
  where account_id = any(cast(? as uuid[])) and kind = ? and sent >= ?
    and window_started_at > now() - interval '1 hour'`);

/** The seconds until the account’s next hour for this kind of mail begins. */
export async function secondsLeft(tx: Transaction, accountId: string, kind: string): Promise<number> {
  const sql = `select ceil(extract(epoch from window_started_at + interval '1 hour' - now()))::int as seconds
    from mail_quota
    where account_id = ? and kind = ?`;
  return Math.max(1, (await query.value<number>(tx, sql, [accountId, kind])) ?? 1);
}

/** Mails from several accounts to one address count together. */
export const takeForAddress = takeFrom('address_mail_quota', 'email_key');

export async function leftForAddress(
  executor: Executor,
  emailKey: string,
  kind: string,
  mailsPerHour: number,
): Promise<number> {
  const sql = `select sent
    from address_mail_quota
    where email_key = ? and kind = ? and window_started_at > now() - interval '1 hour'`;
  return mailsPerHour - ((await query.value<number>(executor, sql, [emailKey, kind])) ?? 0);
}

/** Deletes the counts of addresses that got no mail in the last hours; returns how many. */
export const deleteOld = statement.count(
  `delete from address_mail_quota where window_started_at < now() - interval '2 hours' returning kind`,
);
