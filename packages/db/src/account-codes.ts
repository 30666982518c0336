import { query, type Executor } from './connect.ts';

/** What a mailed code is good for. */
export type CodePurpose = 'verify' | 'reset' | 'change-email';

/** Stores a code's hash in the place of any older one; returns when it expires, by the database's clock. */
export async function replace(
  tx: Executor,
  code: {
    accountId: string;
    purpose: CodePurpose;
    id: string;
    hash: Buffer;
    tries: number;
    lifetimeSeconds: number;
    /** The address that a change-email code proves. */
    email?: string | undefined;
  },
): Promise<Date> {
  const [row] = await query<{ expiresAt: Date }>(
    tx,
    `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at, email)
     values (?, ?, ?, ?, ?, now() + make_interval(secs => ?), ?)
     on conflict (account_id, purpose) do update
     set id = excluded.id, code_hash = excluded.code_hash, tries_left = excluded.tries_left,
       created_at = now(), expires_at = excluded.expires_at, email = excluded.email
     returning expires_at as "expiresAt"`,
    [code.accountId, code.purpose, code.id, code.hash, code.tries, code.lifetimeSeconds, code.email ?? null],
  );
  if (row === undefined) throw new Error('an insert that returns its row returned none');
  return row.expiresAt;
}

/**
 * Takes one of the tries that are left and returns the hash to compare with, or `undefined`. `email` is the
 * address that the code was mailed to, where it is not the account's own.
 */
export async function takeTry(
  executor: Executor,
  accountId: string,
  purpose: CodePurpose,
): Promise<{ id: string; hash: Buffer; email: string | null } | undefined> {
  const [row] = await query<{ id: string; hash: Buffer; email: string | null }>(
    executor,
    `update account_code
     set tries_left = tries_left - 1
     where account_id = ? and purpose = ? and tries_left > 0 and expires_at > now()
     returning id, code_hash as hash, email`,
    [accountId, purpose],
  );
  return row;
}

/** Uses the code up; `false` when somebody was faster or a newer code has replaced it. */
export async function use(
  tx: Executor,
  accountId: string,
  purpose: CodePurpose,
  id: string,
): Promise<boolean> {
  const rows = await query(
    tx,
    `delete from account_code
     where account_id = ? and purpose = ? and id = ? and expires_at > now()
     returning id`,
    [accountId, purpose, id],
  );
  return rows.length === 1;
}

/** Voids the account's code of one purpose. */
export async function deleteOne(tx: Executor, accountId: string, purpose: CodePurpose): Promise<void> {
  await query(tx, 'delete from account_code where account_id = ? and purpose = ?', [accountId, purpose]);
}

/** Voids every code of the account. */
export async function deleteAll(tx: Executor, accountId: string): Promise<void> {
  await query(tx, 'delete from account_code where account_id = ?', [accountId]);
}

/** Removes codes that expired a day ago or earlier; returns how many. */
export async function deleteExpired(executor: Executor): Promise<number> {
  const rows = await query(
    executor,
    `delete from account_code where expires_at < now() - interval '1 day' returning id`,
  );
  return rows.length;
}
