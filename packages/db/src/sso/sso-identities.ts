import { ACCOUNT_COLUMNS, type Account } from '../account/accounts.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** Somebody at an identity provider (OpenID Connect Core §2: `iss` and `sub`). */
export interface Identity {
  issuer: string;
  subject: string;
}

/** The account that an identity is tied to, or `undefined`. */
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

/** Ties an identity to an account; `false` when it is tied, or the account to another one of this issuer. */
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
