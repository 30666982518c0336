import { disabledNow } from '../account/ban.ts';
import type { Account } from '../account/accounts.ts';
import { ACCOUNT_COLUMNS } from '../account/accounts.ts';
import { notEnded } from './content-access.ts';
import { arraysOf } from '../postgres/arrays-of.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { txStatement } from '../postgres/statements.ts';

/** A person to invite, who may not have an account yet. */
export interface Invitee {
  /** The id of the account, if one is created. */
  id: string;
  email: string;
  emailKey: string;
  locale: string;
}

export type KeyedAccount = Account & { emailKey: string };

/**
 * Locks the accounts of these emails until the transaction ends; creates guest accounts for emails without one. A
 * single statement in the order of the email keys, like `lockMany`: an account that is removed meanwhile is created
 * again without breaking the order.
 */
export async function lockOrInsert(tx: Transaction, invitees: readonly Invitee[]) {
  const sql = `insert into account (id, email, email_key, locale, role, signup)
    select id, email, email_key, locale, 'Guest', 'invitation'
    from unnest(cast(:id as uuid[]), cast(:email as text[]), cast(:emailKey as text[]), cast(:locale as text[]))
      as invitee (id, email, email_key, locale)
    order by email_key
    on conflict (email_key) do update set locale = account.locale
    returning ${ACCOUNT_COLUMNS}, email_key as "emailKey"`;
  return await query<KeyedAccount>(tx, sql, arraysOf(invitees, 'id', 'email', 'emailKey', 'locale'));
}

/** Locks the accounts with these ids until the transaction ends; unknown ids are ignored. */
export function lockMany(tx: Transaction, ids: readonly string[]): Promise<KeyedAccount[]> {
  return findMany(tx, ids, { locks: true });
}

/** Like `lockMany`, but skips accounts that other transactions have locked. */
export function lockAvailable(tx: Transaction, ids: readonly string[]): Promise<KeyedAccount[]> {
  return findMany(tx, ids, { locks: 'available' });
}

/**
 * The accounts with these ids; unknown ids are ignored. With `locks`, they are locked until the transaction ends.
 * Several accounts are always locked in the order of their email keys, to prevent deadlocks.
 */
export async function findMany(
  executor: Executor,
  ids: readonly string[],
  { locks }: { locks: boolean | 'available' },
) {
  const sql = `select ${ACCOUNT_COLUMNS}, email_key as "emailKey"
    from account
    where id = any(?::uuid[])
    order by email_key
    ${locks === false ? '' : 'for update'} ${locks === 'available' ? 'skip locked' : ''}`;
  return await query<KeyedAccount>(executor, sql, [ids]);
}

export const lockByEmailKey = txStatement.row<KeyedAccount, [emailKey: string]>(
  `select ${ACCOUNT_COLUMNS}, email_key as "emailKey" from account where email_key = ? for update`,
);

/**
 * Makes an account that expired because no content was left wait for its guest again. Its earlier password no longer
 * works; an expiry set by an administrator remains.
 */
export const revive = txStatement.run<[accountId: string]>(`update account
  set signup = 'invitation', password_hash = null, password_scheme = null,
    password_version = password_version + 1,
    expires_at = expires_at_before, expires_at_before = null, content_expired_at = null
  where id = ?`);

/**
 * Makes those of these accounts that were registered, but never verified, wait for an invitation: nobody has proved to
 * own what was registered. Returns them as they are now. The transaction must have locked them.
 */
export async function withdrawRegistrations(tx: Transaction, accountIds: readonly string[]) {
  const sql = 'select id from withdraw_registrations(?::uuid[]) id';
  const withdrawn = await query.column<string>(tx, sql, [accountIds]);
  return withdrawn.length === 0 ? [] : lockMany(tx, withdrawn);
}

/**
 * Completes the account of a guest who used the mailed link, which proves the email. Without a hash, the guest has no
 * password; without a name, the account keeps the one it has.
 */
export const complete = txStatement.run<
  { accountId: string } & Record<'passwordHash' | 'displayName' | 'locale', string | undefined>
>(`update account
  set signup = 'complete', password_hash = :passwordHash,
    password_scheme = case when cast(:passwordHash as text) is not null then 'peppered' end,
    password_version = password_version + 1, display_name = coalesce(:displayName, display_name),
    locale = coalesce(:locale, locale),
    email_verified_at = now(), new_password_required = false
  where id = :accountId`);

/** Guests without access to any content and without a pending, unexpired invitation. */
const WITHOUT_CONTENT = `
  a.role = 'Guest'
  and not exists (
    select 1 from content_access access
    where access.account_id = a.id and ${notEnded('access.expires_at')})
  and not exists (
    select 1 from invitation i
    where i.account_id = a.id and i.accepted_at is null and i.deleted_at is null and i.expires_at > now())`;

/**
 * Those of these guests who expired because no content was left. Excludes guests to whom an administrator gave an
 * expiry or whom one disabled, and guests with ended access that is not removed yet, because otherwise nobody would be
 * told of its end.
 */
export const EXPIRED_WITHOUT_CONTENT = `
  a.expires_at = a.content_expired_at and a.expires_at_before is null and not ${disabledNow('a')}
  and ${WITHOUT_CONTENT}
  and not exists (select 1 from content_access access where access.account_id = a.id)`;

/**
 * Expires those of these accounts that are guests without content and have not expired yet; returns them. The expiry is
 * the start of the current second, because cached sessions store whole seconds.
 */
export const expireWithoutContent = txStatement.column<string, [accountIds: readonly string[]]>(`
  update account a
  set expires_at = date_trunc('second', now()), content_expired_at = date_trunc('second', now()),
    expires_at_before = a.expires_at
  where a.id = any(?::uuid[]) and (a.expires_at is null or a.expires_at > now()) and ${WITHOUT_CONTENT}
  returning a.id`);

/**
 * Deletes up to `max` guests that expired because no content was left; returns them. A guest stays until all changes of
 * their sessions have reached Redis: without the rows, the cached copies could not be written any more. A guest also
 * stays if an administrator has set an expiry or disabled them: an invitation would otherwise create the account again
 * without that restriction.
 */
export const removeWithoutContent = txStatement.column<string, [max: number]>(`delete from account
  where id = any(array(
    select a.id from account a
    where a.expires_at <= now() and ${EXPIRED_WITHOUT_CONTENT}
      and not exists (select 1 from user_session s where s.account_id = a.id and s.ended_at is null)
      and not exists (
        select 1 from user_session s join live_session_outbox o on o.session_id = s.id
        where s.account_id = a.id)
    limit ?
    for update skip locked
  ))
  returning id`);
