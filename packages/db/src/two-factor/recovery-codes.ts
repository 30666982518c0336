import { query, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

export async function replaceAll(tx: Transaction, accountId: string, hashes: readonly Buffer[]) {
  await query(tx, 'delete from recovery_code where account_id = ?', [accountId]);
  await query(tx, 'insert into recovery_code (account_id, code_hash) select ?, unnest(?::bytea[])', [
    accountId,
    hashes,
  ]);
}

/** Deletes the codes, unless a second factor is required and passkeys are the account's. */
export const deleteUnneeded = txStatement.run<[accountId: string]>(`delete from recovery_code unneeded
  where account_id = ?
    and not exists (
      select 1 from passkey, account
      where passkey.account_id = unneeded.account_id and account.id = unneeded.account_id and account.two_factor_required)`);

export const countLeft = statement.onlyValue<number, [accountId: string]>(
  'select count(*)::int as count from recovery_code where account_id = ? and used_at is null',
);

export const isUsable = statement.any<[accountId: string, hash: Buffer]>(
  'select 1 from recovery_code where account_id = ? and code_hash = ? and used_at is null',
);

/** Uses up a code; `false` if another request used it first. */
export const use = txStatement.any<[accountId: string, hash: Buffer]>(`update recovery_code
  set used_at = now()
  where account_id = ? and code_hash = ? and used_at is null
  returning account_id`);
