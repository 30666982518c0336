import { ACCOUNT_COLUMNS, type Account } from '../account/accounts.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** A person at an identity provider (OpenID Connect Core §2: `iss` and `sub`). */
export interface Identity {
  issuer: string;
  subject: string;
}

/** The account linked to an identity. */
export async function findAccount(
  executor: Executor,
  { issuer, subject }: Identity,
): Promise<Account | undefined> {
  const [row] = await query<Account>(
    executor,
    `select ${ACCOUNT_COLUMNS}
     from account
     where id = (select account_id from sso_identity where issuer = ? and subject = ?)`,
    [issuer, subject],
  );
  return row;
}

/**
 * Links an identity to an account; `false` when it is linked already, or the account to another identity of this
 * issuer.
 */
export async function insert(
  tx: Transaction,
  { issuer, subject }: Identity,
  accountId: string,
): Promise<boolean> {
  const rows = await query(
    tx,
    `insert into sso_identity (issuer, subject, account_id)
     values (?, ?, ?)
     on conflict do nothing
     returning account_id`,
    [issuer, subject, accountId],
  );
  return rows.length === 1;
}

/** How many accounts are tied to an issuer, counted as far as `max`. */
export async function count(executor: Executor, issuer: string, max: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    executor,
    'select count(*)::int as count from (select 1 from sso_identity where issuer = ? limit ?) as counted',
    [issuer, max],
  );
  return row?.count ?? 0;
}
