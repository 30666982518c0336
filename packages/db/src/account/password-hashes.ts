import { query, type Executor } from '../postgres/connect.ts';
import { txStatement } from '../postgres/statements.ts';

/**
 * For each bound, the highest cost up to it that any hash has (the two digits from its fifth character on), found by an
 * index. A bound is left out if no hash has such a cost.
 */
export async function findHighestCosts(executor: Executor, bounds: readonly number[]) {
  // Digits only: Portal may write hashes of guests, and one without a number there must not fail everybody's logins.
  const sql = `select (
      select substr(password_hash, 5, 2) from account
      where password_hash is not null and substr(password_hash, 5, 2) between '00' and bound
        and substr(password_hash, 5, 2) ~ '^[0-9]{2}$'
      order by substr(password_hash, 5, 2) desc limit 1
    )::int as cost
    from unnest(?::text[]) as bound`;
  const rows = await query<{ cost: number | null }>(executor, sql, [bounds.map(String)]);
  return rows.flatMap(({ cost }) => cost ?? []);
}

/** Replaces a hash with a newly made one, unless the password has changed meanwhile. */
export const renew = txStatement.run<{ accountId: string; from: string; to: string }>(
  `update account set password_hash = :to, password_scheme = 'peppered' where id = :accountId and password_hash = :from`,
);
