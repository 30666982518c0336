import { statement, txStatement } from '../postgres/statements.ts';

export interface Passkey {
  id: string;
  name: string;
  aaguid: string | null;
  isBackedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface CheckedPasskey {
  id: string;
  accountId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  isBackupEligible: boolean;
  /** The identifier by which the authenticator knows the account. */
  userHandle: Buffer;
}

export interface PasskeyUse {
  signCount: number;
  isBackupEligible: boolean;
  isBackedUp: boolean;
}

const OWN_COLUMNS = `
  id, name, aaguid, is_backed_up as "isBackedUp", created_at as "createdAt", last_used_at as "lastUsedAt"`;

export const findOfAccount = statement.rows<Passkey, [accountId: string]>(
  `select ${OWN_COLUMNS} from passkey where account_id = ? order by created_at, id`,
);

export const findKnown = statement.rows<
  { credentialId: Buffer; transports: string[] },
  [accountId: string]
>(`select credential_id as "credentialId", transports
  from passkey where account_id = ? order by created_at, id`);

export const findByCredentialId = statement.row<CheckedPasskey, [credentialId: Buffer]>(`
  select passkey.id, passkey.account_id as "accountId", passkey.credential_id as "credentialId",
    passkey.public_key as "publicKey", passkey.sign_count::float8 as "signCount",
    passkey.is_backup_eligible as "isBackupEligible", account.webauthn_user_handle as "userHandle"
  from passkey, account
  where passkey.credential_id = ? and account.id = passkey.account_id`);

export const isOfAccount = statement.any<[accountId: string, id: string]>(
  'select 1 from passkey where account_id = ? and id = ?',
);

/** Gives the account a handle by which authenticators know it, unless it already has one; returns the handle. */
export const setUserHandle = txStatement.onlyValue<Buffer, [fresh: Buffer, accountId: string]>(`update account
  set webauthn_user_handle = coalesce(webauthn_user_handle, ?)
  where id = ?
  returning webauthn_user_handle as handle`);

/** Adds a passkey; `undefined` if its credential id is already stored. */
export const insert = txStatement.row<
  Passkey,
  {
    id: string;
    accountId: string;
    credentialId: Buffer;
    publicKey: Buffer;
    algorithm: number;
    signCount: number;
    transports: readonly string[];
    aaguid: string | undefined;
    isBackupEligible: boolean;
    isBackedUp: boolean;
    name: string;
  }
>(`insert into passkey (
    id, account_id, credential_id, public_key, algorithm, sign_count, transports, aaguid,
    is_backup_eligible, is_backed_up, name)
  values (
    :id, :accountId, :credentialId, :publicKey, :algorithm, :signCount, cast(:transports as text[]),
    cast(:aaguid as uuid), :isBackupEligible, :isBackedUp, :name)
  on conflict (credential_id) do nothing
  returning ${OWN_COLUMNS}`);

/**
 * `false` if the passkey is gone, or is bound to a device and its counter has not increased: there is a copy. Those of
 * synced passkeys are not reliable and not compared.
 */
export const use = txStatement.any<PasskeyUse & { id: string }>(`update passkey
  set sign_count = cast(:signCount as bigint), is_backup_eligible = :isBackupEligible,
    is_backed_up = :isBackedUp, last_used_at = now()
  where id = :id
    and (
      is_backup_eligible or sign_count < cast(:signCount as bigint)
      or (sign_count = 0 and cast(:signCount as bigint) = 0))
  returning id`);

export const rename = txStatement.row<Passkey, { accountId: string; id: string; name: string }>(
  `update passkey set name = :name where account_id = :accountId and id = :id returning ${OWN_COLUMNS}`,
);

export const remove = txStatement.any<[accountId: string, id: string]>(
  'delete from passkey where account_id = ? and id = ? returning id',
);

export const removeSince = txStatement.column<string, [accountId: string, since: Date]>(
  'delete from passkey where account_id = ? and created_at >= ? returning id',
);

export const removeAll = txStatement.run<[accountId: string]>('delete from passkey where account_id = ?');

export const count = statement.onlyValue<number, [accountId: string]>(
  'select count(*)::int as count from passkey where account_id = ?',
);
