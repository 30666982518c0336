import { ACCOUNT_COLUMNS, type Account } from '../account/accounts.ts';
import { statement, txStatement } from '../postgres/statements.ts';

/** A person at an identity provider (OpenID Connect Core §2: `iss` and `sub`). */
export interface Identity {
  issuer: string;
  subject: string;
}

export const findAccount = statement.row<Account, Identity>(`select ${ACCOUNT_COLUMNS}
  from account
  where id = (select account_id from sso_identity where issuer = :issuer and subject = :subject)`);

export interface LinkedIdentity extends Identity {
  /** Identifies the link; never reused. */
  number: number;
  provider: string;
  linkedAt: Date;
}

/** The identities of an account, in the order in which they were linked. They are few: at most one per issuer. */
export const findOfAccount = statement.rows<LinkedIdentity, [accountId: string]>(`
  select number::float8 as number, provider, issuer, subject, linked_at as "linkedAt"
  from sso_identity
  where account_id = ?
  order by number`);

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

export const remove = txStatement.row<UnlinkedIdentity, [accountId: string, number: number]>(`
  with removed as (
    delete from sso_identity where account_id = ? and number = ? returning account_id, issuer, provider
  )
  ${REMOVED}`);

export const removeSince = txStatement.rows<UnlinkedIdentity, [accountId: string, since: Date]>(`
  with removed as (
    delete from sso_identity where account_id = ? and linked_at >= ? returning account_id, issuer, provider
  )
  ${REMOVED}`);

/** `false` if the identity is linked already, or the account to another one of this issuer. */
export const insert = txStatement.any<Identity & { accountId: string; provider: string }>(`
  insert into sso_identity (issuer, subject, account_id, provider)
  values (:issuer, :subject, :accountId, :provider)
  on conflict do nothing
  returning account_id`);

/** Whether this is the address that `noteEmail` noted last. */
export const hadEmail = statement.any<Identity & { emailKey: string }>(`select 1
  from sso_identity
  where issuer = :issuer and subject = :subject and email_digest = sha256(convert_to(:emailKey, 'UTF8'))`);

/** Notes the address that the person has at the provider, for an account that the transaction has locked. */
export const noteEmail = txStatement.run<Identity & { emailKey: string }>(`update sso_identity
  set email_digest = sha256(convert_to(:emailKey, 'UTF8'))
  where issuer = :issuer and subject = :subject`);

export const count = statement.onlyValue<number, [issuer: string, max: number]>(
  'select count(*)::int as count from (select 1 from sso_identity where issuer = ? limit ?) as counted',
);
