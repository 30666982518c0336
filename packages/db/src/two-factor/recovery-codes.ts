import { query, type Executor, type Transaction } from '../postgres/connect.ts';

export async function replaceAll(tx: Transaction, accountId: string, hashes: readonly Buffer[]) {
  await query(tx, 'delete from recovery_code where account_id = ?', [accountId]);
  await query(tx, 'insert into recovery_code (account_id, code_hash) select ?, unnest(?::bytea[])', [
    accountId,
    hashes,
  ]);
}

/**
 * Deletes the account’s codes, unless they are still needed: if a second factor is required, and passkeys are the
 * account's second factor.
 */
export async function deleteUnneeded(tx: Transaction, accountId: string): Promise<void> {
  const sql = `delete from recovery_code
    where account_id = :accountId
      and not exists (
        select 1 from passkey, account
        where passkey.account_id = :accountId and account.id = :accountId and account.two_factor_required)`;
  await query(tx, sql, { accountId });
}

export async function countLeft(executor: Executor, accountId: string) {
  const sql = 'select count(*)::int as count from recovery_code where account_id = ? and used_at is null';
  return await query.onlyValue<number>(executor, sql, [accountId]);
}

export async function isUsable(executor: Executor, accountId: string, hash: Buffer) {
  const sql = 'select 1 from recovery_code where account_id = ? and code_hash = ? and used_at is null';
  return await query.any(executor, sql, [accountId, hash]);
}

/** Uses up a code; `false` if another request used it first. */
export async function use(tx: Transaction, accountId: string, hash: Buffer) {
  const sql = `update recovery_code
    set used_at = now()
    where account_id = ? and code_hash = ? and used_at is null
    returning account_id`;
  return await query.any(tx, sql, [accountId, hash]);
}
