import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** Replaces the account’s codes by a new set of hashes. */
export async function replaceAll(
  tx: Transaction,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await query(tx, 'delete from recovery_code where account_id = ?', [accountId]);
  await query(tx, 'insert into recovery_code (account_id, code_hash) select ?, unnest(?::bytea[])', [
    accountId,
    hashes,
  ]);
}

export async function isUsable(executor: Executor, accountId: string, hash: Buffer): Promise<boolean> {
  const rows = await query(
    executor,
    'select 1 from recovery_code where account_id = ? and code_hash = ? and used_at is null',
    [accountId, hash],
  );
  return rows.length === 1;
}

/** Uses up a code; `false` when another request was first. */
export async function use(tx: Transaction, accountId: string, hash: Buffer): Promise<boolean> {
  const rows = await query(
    tx,
    `update recovery_code
     set used_at = now()
     where account_id = ? and code_hash = ? and used_at is null
     returning account_id`,
    [accountId, hash],
  );
  return rows.length === 1;
}
