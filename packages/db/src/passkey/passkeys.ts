import { query, type Executor, type Transaction } from '../postgres/connect.ts';

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

/** The passkeys of an account, oldest first. */
export async function findOfAccount(executor: Executor, accountId: string) {
  const sql = `select ${OWN_COLUMNS} from passkey where account_id = ? order by created_at, id`;
  return await query<Passkey>(executor, sql, [accountId]);
}

/** The passkeys of an account, in the form that browsers are given. */
export async function findKnown(executor: Executor, accountId: string) {
  const sql = `select credential_id as "credentialId", transports
    from passkey where account_id = ? order by created_at, id`;
  return await query<{ credentialId: Buffer; transports: string[] }>(executor, sql, [accountId]);
}

export async function findByCredentialId(executor: Executor, credentialId: Buffer) {
  const sql = `select passkey.id, passkey.account_id as "accountId", passkey.credential_id as "credentialId",
      passkey.public_key as "publicKey", passkey.sign_count::float8 as "signCount",
      passkey.is_backup_eligible as "isBackupEligible", account.webauthn_user_handle as "userHandle"
    from passkey, account
    where passkey.credential_id = ? and account.id = passkey.account_id`;
  return await query.row<CheckedPasskey>(executor, sql, [credentialId]);
}

export async function isOfAccount(executor: Executor, accountId: string, id: string) {
  return await query.any(executor, 'select 1 from passkey where account_id = ? and id = ?', [accountId, id]);
}

/** Gives the account a handle by which authenticators know it, unless it already has one; returns the handle. */
export async function setUserHandle(tx: Transaction, accountId: string, fresh: Buffer) {
  const sql = `update account
    set webauthn_user_handle = coalesce(webauthn_user_handle, ?)
    where id = ?
    returning webauthn_user_handle as handle`;
  return await query.onlyValue<Buffer>(tx, sql, [fresh, accountId]);
}

/** Adds a passkey; `undefined` if its credential id is already stored. */
export async function insert(
  tx: Transaction,
  passkey: {
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
  },
) {
  const sql = `insert into passkey (
      id, account_id, credential_id, public_key, algorithm, sign_count, transports, aaguid,
      is_backup_eligible, is_backed_up, name)
    values (
      :id, :accountId, :credentialId, :publicKey, :algorithm, :signCount, cast(:transports as text[]),
      cast(:aaguid as uuid), :isBackupEligible, :isBackedUp, :name)
    on conflict (credential_id) do nothing
    returning ${OWN_COLUMNS}`;
  return await query.row<Passkey>(tx, sql, { ...passkey, aaguid: passkey.aaguid ?? null });
}

/**
 * Records a use and the signature counter of a passkey. `false` if the passkey no longer exists, or if it was bound to a
 * device and its counter has not increased, which means that there is a copy of it. The counters of synced passkeys are
 * not reliable and not compared.
 */
export async function use(
  tx: Transaction,
  id: string,
  { signCount, isBackupEligible, isBackedUp }: PasskeyUse,
) {
  const sql = `update passkey
    set sign_count = cast(:signCount as bigint), is_backup_eligible = :isBackupEligible,
      is_backed_up = :isBackedUp, last_used_at = now()
    where id = :id
      and (
        is_backup_eligible or sign_count < cast(:signCount as bigint)
        or (sign_count = 0 and cast(:signCount as bigint) = 0))
    returning id`;
  return await query.any(tx, sql, { id, signCount, isBackupEligible, isBackedUp });
}

/** Renames a passkey of the account; `undefined` if the account has no such passkey. */
export async function rename(
  tx: Transaction,
  { accountId, id, name }: { accountId: string; id: string; name: string },
) {
  const sql = `update passkey set name = ? where account_id = ? and id = ? returning ${OWN_COLUMNS}`;
  return await query.row<Passkey>(tx, sql, [name, accountId, id]);
}

/** Removes a passkey of the account; `false` if the account has no such passkey. */
export async function remove(tx: Transaction, accountId: string, id: string) {
  const sql = 'delete from passkey where account_id = ? and id = ? returning id';
  return await query.any(tx, sql, [accountId, id]);
}

/** Removes the passkeys that were added at this time or later; returns their ids. */
export async function removeSince(tx: Transaction, accountId: string, since: Date) {
  const sql = 'delete from passkey where account_id = ? and created_at >= ? returning id';
  return await query.column<string>(tx, sql, [accountId, since]);
}

export async function removeAll(tx: Transaction, accountId: string): Promise<void> {
  await query(tx, 'delete from passkey where account_id = ?', [accountId]);
}

export async function count(executor: Executor, accountId: string) {
  const sql = 'select count(*)::int as count from passkey where account_id = ?';
  return await query.onlyValue<number>(executor, sql, [accountId]);
}
