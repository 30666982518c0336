import type { Account } from './accounts.ts';
import { ACCOUNT_COLUMNS } from './accounts.ts';
import { query, type Transaction } from '../postgres/connect.ts';

/** Someone to invite who may have no account yet. */
export interface Invitee {
  /** The account's, should one be made. */
  id: string;
  email: string;
  emailKey: string;
  locale: string;
}

/** An account with the key of its email. */
export type KeyedAccount = Account & { emailKey: string };

/**
 * Locks the accounts of these emails until the transaction ends; where there is none, makes that of a guest to
 * be. One statement and in the order of the keys, as `lockMany`: an account that is removed meanwhile is made
 * anew, without giving up the order.
 */
export async function lockOrInsert(tx: Transaction, invitees: readonly Invitee[]): Promise<KeyedAccount[]> {
  return await query<KeyedAccount>(
    tx,
    `insert into account (id, email, email_key, locale, role, signup)
     select id, email, email_key, locale, 'Guest', 'invitation'
     from unnest(?::uuid[], ?::text[], ?::text[], ?::text[]) as invitee (id, email, email_key, locale)
     order by email_key
     on conflict (email_key) do update set locale = account.locale
     returning ${ACCOUNT_COLUMNS}, email_key as "emailKey"`,
    [
      invitees.map(({ id }) => id),
      invitees.map(({ email }) => email),
      invitees.map(({ emailKey }) => emailKey),
      invitees.map(({ locale }) => locale),
    ],
  );
}

/**
 * Locks the accounts of these emails or ids until the transaction ends; what has none is left out. Whoever
 * locks several accounts does so in the order of their keys, so that no two wait for each other.
 */
export async function lockMany(
  tx: Transaction,
  which: { emailKeys: readonly string[] } | { ids: readonly string[] },
): Promise<KeyedAccount[]> {
  const [column, values] =
    'ids' in which ? ['id = any(?::uuid[])', which.ids] : ['email_key = any(?::text[])', which.emailKeys];
  return await query<KeyedAccount>(
    tx,
    `select ${ACCOUNT_COLUMNS}, email_key as "emailKey"
     from account
     where ${column}
     order by email_key
     for update`,
    [values],
  );
}

/**
 * Lets an account that expired for want of content wait for its guest again: what its earlier password opened stays
 * shut, and an end that an administrator had set for later stays set.
 */
export async function revive(tx: Transaction, accountId: string): Promise<void> {
  await query(
    tx,
    `update account
     set signup = 'invitation', password_hash = null, password_scheme = null,
       password_version = password_version + 1,
       expires_at = expires_at_before, expires_at_before = null, content_expired_at = null
     where id = ?`,
    [accountId],
  );
}

/** Completes the account of a guest who came by the link that was mailed, which proves the email. */
export async function complete(
  tx: Transaction,
  accountId: string,
  given: { passwordHash: string; displayName: string },
): Promise<void> {
  await query(
    tx,
    `update account
     set signup = 'complete', password_hash = ?, password_scheme = 'peppered',
       password_version = password_version + 1, display_name = ?,
       email_verified_at = now(), new_password_required = false
     where id = ?`,
    [given.passwordHash, given.displayName, accountId],
  );
}

/** Guests that have nothing: no access to any content, and no invitation that they could accept. */
const WITHOUT_CONTENT = `
  a.role = 'Guest'
  and not exists (select 1 from content_access access where access.account_id = a.id)
  and not exists (
    select 1 from invitation i
    where i.account_id = a.id and i.accepted_at is null and i.deleted_at is null and i.expires_at > now())`;

/**
 * Expires those of these accounts that are guests without any content and have not expired yet; returns them. As of
 * the second that has begun, as cached sessions count in whole seconds.
 */
export async function expireWithoutContent(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `update account a
     set expires_at = date_trunc('second', now()), content_expired_at = date_trunc('second', now()),
       expires_at_before = a.expires_at
     where a.id = any(?::uuid[]) and (a.expires_at is null or a.expires_at > now()) and ${WITHOUT_CONTENT}
     returning a.id`,
    [accountIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes up to `max` guests that expired for want of content; returns them. One whose sessions' last changes
 * have not all reached Redis yet stays: without the rows nobody could write those copies any more. So does one
 * about whom an administrator has decided (an end, disabling): an invitation would make them anew without it.
 */
export async function removeWithoutContent(tx: Transaction, max: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `delete from account
     where id in (
       select a.id from account a
       where a.expires_at <= now() and a.expires_at = a.content_expired_at and a.expires_at_before is null
         and not a.is_disabled
         and ${WITHOUT_CONTENT}
         and not exists (select 1 from user_session s where s.account_id = a.id and s.ended_at is null)
         and not exists (
           select 1 from user_session s join live_session_outbox o on o.session_id = s.id
           where s.account_id = a.id)
       limit ?
       for update skip locked
     )
     returning id`,
    [max],
  );
  return rows.map(({ id }) => id);
}
