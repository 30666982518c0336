import { disabledNow, ACCOUNT_COLUMNS, type Account } from '../account/accounts.ts';
import { notEnded } from './content-access.ts';
import { arraysOf, txStatement } from '../postgres/statements.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

export interface Invitee {
  id: string;
  email: string;
  emailKey: string;
  locale: string;
}

export type KeyedAccount = Account & { emailKey: string };

/**
 * Locks the accounts of these emails, and creates guests for emails without one: in one statement in the order of the
 * email keys, which an account that is removed meanwhile, and created again, does not break.
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

/** Unknown ids are ignored. Several accounts are always locked in the order of their email keys, against deadlocks. */
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

/** Makes a guest who expired without content pending, without the password; an administrator's expiry remains. */
export const revive = txStatement.run<[accountId: string]>(`update account
  set signup = 'invitation', password_hash = null, password_scheme = null,
    password_version = password_version + 1,
    expires_at = expires_at_before, expires_at_before = null, content_expired_at = null
  where id = ?`);

/** Makes unverified accounts, which are locked, wait for an invitation: nobody has proved to own them. */
export async function withdrawRegistrations(tx: Transaction, accountIds: readonly string[]) {
  const sql = 'select id from withdraw_registrations(?::uuid[]) id';
  const withdrawn = await query.column<string>(tx, sql, [accountIds]);
  return withdrawn.length === 0 ? [] : lockMany(tx, withdrawn);
}

/** The link proves the email. Without a hash, the guest has no password; without a name, the account keeps its own. */
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
 * Guests who expired without content: not those whom an administrator expired or disabled, and not those with ended
 * access that is not removed yet, as nobody would be told of its end.
 */
export const EXPIRED_WITHOUT_CONTENT = `
  a.expires_at = a.content_expired_at and a.expires_at_before is null and not ${disabledNow('a')}
  and ${WITHOUT_CONTENT}
  and not exists (select 1 from content_access access where access.account_id = a.id)`;

/** Expires guests without content; returns them. At the second's start, as cached sessions store whole seconds. */
export const expireWithoutContent = txStatement.column<string, [accountIds: readonly string[]]>(`
  update account a
  set expires_at = date_trunc('second', now()), content_expired_at = date_trunc('second', now()),
    expires_at_before = a.expires_at
  where a.id = any(?::uuid[]) and (a.expires_at is null or a.expires_at > now()) and ${WITHOUT_CONTENT}
  returning a.id`);

/**
 * Deletes guests who expired without content; returns them. A guest stays until their sessions' changes have reached
 * Redis, whose copies need the rows, and if an administrator has expired or disabled them: an invitation would create
 * the account again without that.
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
