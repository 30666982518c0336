import { ACCOUNT_COLUMNS, type Account } from '../account/accounts.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** A person at an identity provider (OpenID Connect Core §2: `iss` and `sub`). */
export interface Identity {
  issuer: string;
  subject: string;
}

export async function findAccount(executor: Executor, { issuer, subject }: Identity) {
  const sql = `select ${ACCOUNT_COLUMNS}
    from account
    where id = (select account_id from sso_identity where issuer = ? and subject = ?)`;
  return await query.row<Account>(executor, sql, [issuer, subject]);
}

export interface LinkedIdentity extends Identity {
  /** Identifies the link; never reused. */
  number: number;
  provider: string;
  linkedAt: Date;
}

/** The identities of an account, in the order in which they were linked. They are few: at most one per issuer. */
export async function findOfAccount(executor: Executor, accountId: string) {
  const sql = `select number::float8 as number, provider, issuer, subject, linked_at as "linkedAt"
    from sso_identity
    where account_id = ?
    order by number`;
  return await query<LinkedIdentity>(executor, sql, [accountId]);
}

/** An identity that was unlinked. */
export interface UnlinkedIdentity {
  issuer: string;
  provider: string;
  /** Whether its provider said groups of the account; a trigger removes them with the identity. */
  hadGroups: boolean;
}

const REMOVED = `select issuer, provider, exists (
      select from account_group g where g.account_id = removed.account_id and g.source = removed.provider
    ) as "hadGroups"
    from removed`;

/** Unlinks an identity of an account; `undefined` if the account has no identity with that number. */
export async function remove(tx: Transaction, accountId: string, number: number) {
  const sql = `with removed as (
      delete from sso_identity where account_id = ? and number = ? returning account_id, issuer, provider
    )
    ${REMOVED}`;
  return await query.row<UnlinkedIdentity>(tx, sql, [accountId, number]);
}

/** Unlinks the identities that were linked at this time or later. */
export async function removeSince(tx: Transaction, accountId: string, since: Date) {
  const sql = `with removed as (
      delete from sso_identity where account_id = ? and linked_at >= ? returning account_id, issuer, provider
    )
    ${REMOVED}`;
  return await query<UnlinkedIdentity>(tx, sql, [accountId, since]);
}

/**
 * Links an identity to an account; `false` if the identity is already linked, or the account is linked to another
 * identity of this issuer.
 */
export async function insert(
  tx: Transaction,
  { issuer, subject, provider }: Identity & { provider: string },
  accountId: string,
) {
  const sql = `insert into sso_identity (issuer, subject, account_id, provider)
    values (?, ?, ?, ?)
    on conflict do nothing
    returning account_id`;
  return await query.any(tx, sql, [issuer, subject, accountId, provider]);
}

/** Whether this is the address that `noteEmail` noted last. */
export async function hadEmail(executor: Executor, { issuer, subject }: Identity, emailKey: string) {
  const sql = `select 1
    from sso_identity
    where issuer = ? and subject = ? and email_digest = sha256(convert_to(?, 'UTF8'))`;
  return await query.any(executor, sql, [issuer, subject, emailKey]);
}

/** Notes the address that the person has at the provider, for an account that the transaction has locked. */
export async function noteEmail(tx: Transaction, { issuer, subject }: Identity, emailKey: string) {
  const sql = `update sso_identity
    set email_digest = sha256(convert_to(?, 'UTF8'))
    where issuer = ? and subject = ?`;
  await query(tx, sql, [emailKey, issuer, subject]);
}

/** How many accounts are linked to an issuer, counted up to `max`. */
export async function count(executor: Executor, issuer: string, max: number) {
  const sql =
    'select count(*)::int as count from (select 1 from sso_identity where issuer = ? limit ?) as counted';
  return await query.onlyValue<number>(executor, sql, [issuer, max]);
}
