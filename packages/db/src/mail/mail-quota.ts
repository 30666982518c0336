import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** Counts one more mail of a kind for an account; `false` if the hour’s quota is used up. */
export async function take(tx: Transaction, accountId: string, kind: string, mailsPerHour: number) {
  return takeFrom(tx, { table: 'mail_quota', column: 'account_id' }, accountId, { kind, max: mailsPerHour });
}

/** Those of the accounts for which `take` would return `false` now. */
export async function findUsedUp(
  executor: Executor,
  accountIds: readonly string[],
  kind: string,
  mailsPerHour: number,
) {
  const sql = `select account_id as id
    from mail_quota
    where account_id = any(cast(? as uuid[])) and kind = ? and sent >= ?
      and window_started_at > now() - interval '1 hour'`;
  return await query.column<string>(executor, sql, [accountIds, kind, mailsPerHour]);
}

/** The seconds until the account’s next hour for this kind of mail begins. */
export async function secondsLeft(tx: Transaction, accountId: string, kind: string): Promise<number> {
  const sql = `select ceil(extract(epoch from window_started_at + interval '1 hour' - now()))::int as seconds
    from mail_quota
    where account_id = ? and kind = ?`;
  return Math.max(1, (await query.value<number>(tx, sql, [accountId, kind])) ?? 1);
}

/**
 * `take` for an address, whichever account causes the mail: mails from several accounts to one address count together.
 */
export async function takeForAddress(tx: Transaction, emailKey: string, kind: string, mailsPerHour: number) {
  const where = { table: 'address_mail_quota', column: 'email_key' } as const;
  return takeFrom(tx, where, emailKey, { kind, max: mailsPerHour });
}

/** How many more mails of a kind `takeForAddress` would count now. */
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

async function takeFrom(
  tx: Transaction,
  { table, column }: { table: 'mail_quota' | 'address_mail_quota'; column: 'account_id' | 'email_key' },
  key: string,
  { kind, max }: { kind: string; max: number },
) {
  const isOver = `quota.window_started_at <= now() - interval '1 hour'`;
  const sql = `insert into ${table} as quota (${column}, kind) values (:key, :kind)
    on conflict (${column}, kind) do update
    set
      sent = case when ${isOver} then 1 else quota.sent + 1 end,
      window_started_at = case when ${isOver} then now() else quota.window_started_at end
    where quota.sent < :max or ${isOver}
    returning sent`;
  return await query.any(tx, sql, { key, kind, max });
}

/** Deletes the counts of addresses that got no mail in the last hours; returns how many. */
export async function deleteOld(executor: Executor): Promise<number> {
  return await query.count(
    executor,
    `delete from address_mail_quota where window_started_at < now() - interval '2 hours' returning kind`,
  );
}
