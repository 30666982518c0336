import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** The highest two digits up to each of these that any hash has at its fifth place, by an index; nothing where none has. */
export async function findHighestCosts(
  executor: Executor,
  bounds: readonly number[],
): Promise<readonly number[]> {
  // Digits alone: Portal may write hashes of guests, and what is no number must not fail everybody's logins.
  const rows = await query<{ cost: number | null }>(
    executor,
    `select (
       select substr(password_hash, 5, 2) from account
       where password_hash is not null and substr(password_hash, 5, 2) between '00' and bound
         and substr(password_hash, 5, 2) ~ '^[0-9]{2}$'
       order by substr(password_hash, 5, 2) desc limit 1
     )::int as cost
     from unnest(?::text[]) as bound`,
    [bounds.map(String)],
  );
  return rows.flatMap(({ cost }) => cost ?? []);
}

/** Replaces an imported hash by one of ours, unless the password has changed meanwhile. */
export async function renew(
  tx: Transaction,
  accountId: string,
  change: { from: string; to: string },
): Promise<void> {
  await query(
    tx,
    `update account set password_hash = ?, password_scheme = 'peppered' where id = ? and password_hash = ?`,
    [change.to, accountId, change.from],
  );
}
