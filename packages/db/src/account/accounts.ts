import type { PasswordScheme } from '@gatehouse/schema';
import { query, type Transaction, type Executor } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';
import { isDuplicate } from '../postgres/faults.ts';

export type Signup = 'complete' | 'new' | 'migration' | 'invitation';

/** The account data that logins need. `isExpired` is by the database’s clock. */
export interface Account {
  id: string;
  email: string;
  displayName: string | null;
  locale: string;
  role: 'User' | 'Guest' | 'Admin';
  signup: Signup;
  /** `null` without a password. */
  passwordScheme: PasswordScheme | null;
  /** Changes with the password, but not when only its hash is renewed. */
  passwordVersion: number;
  isEmailVerified: boolean;
  /** Registered with two passwords before its email was verified: neither may log in. */
  isContested: boolean;
  isDisabled: boolean;
  /** A program's account, not a person's: a user without mails and with concurrent sessions (docs/accounts.md). */
  isService: boolean;
  /** How many sessions of each tag the account may have; `null`: as the installation says. */
  sessionLimit: number | null;
  isExpired: boolean;
  /** The account expired because it had no content left, not by an administrator: an invitation may revive it. */
  isWithoutContent: boolean;
  isNewPasswordRequired: boolean;
  isTwoFactorRequired: boolean;
  /** As of the start of the statement; under a lock, `twoFactor.find` returns the current state. */
  isTwoFactorEnabled: boolean;
  /** As of the start of the statement. */
  hasPasskey: boolean;
}

/** An account with its password hash, which Portal may not read. */
export interface AccountWithHash extends Account {
  passwordHash: string | null;
}

export const ACCOUNT_COLUMNS = `
  id, email, display_name as "displayName", locale, role, signup, password_scheme as "passwordScheme",
  password_version as "passwordVersion",
  email_verified_at is not null as "isEmailVerified",
  is_contested as "isContested",
  ${disabledNow('account')} as "isDisabled",
  is_service as "isService",
  session_limit as "sessionLimit",
  coalesce(expires_at <= now(), false) as "isExpired",
  coalesce(
    expires_at <= now() and expires_at = content_expired_at
      and (expires_at_before is null or expires_at_before > now()),
    false) as "isWithoutContent",
  new_password_required as "isNewPasswordRequired",
  two_factor_required as "isTwoFactorRequired",
  exists (
    select 1 from two_factor where account_id = account.id and enabled_at is not null
  ) as "isTwoFactorEnabled",
  exists (select 1 from passkey where account_id = account.id) as "hasPasskey"`;

export const findByEmailKey = statement.row<Account, [emailKey: string]>(
  `select ${ACCOUNT_COLUMNS} from account where email_key = ?`,
);

export const findById = statement.row<Account, [accountId: string]>(
  `select ${ACCOUNT_COLUMNS} from account where id = ?`,
);

export const findWithHash = statement.row<AccountWithHash, [emailKey: string]>(
  `select ${ACCOUNT_COLUMNS}, password_hash as "passwordHash" from account where email_key = ?`,
);

export const lockByEmailKey = txStatement.row<Account, [emailKey: string]>(
  `select ${ACCOUNT_COLUMNS} from account where email_key = ? for update`,
);

/** Like `lockByEmailKey`, with the hash, after a password was checked. */
export const lockWithHash = txStatement.row<AccountWithHash, [emailKey: string]>(
  `select ${ACCOUNT_COLUMNS}, password_hash as "passwordHash" from account where email_key = ? for update`,
);

export const lockById = txStatement.row<Account, [accountId: string]>(
  `select ${ACCOUNT_COLUMNS} from account where id = ? for update`,
);

export const insert = txStatement.any<{
  id: string;
  email: string;
  emailKey: string;
  displayName: string | undefined;
  locale: string;
  role: Account['role'];
  signup: Signup;
  passwordHash: string | undefined;
  isEmailVerified: boolean;
}>(`
  insert into account (
    id, email, email_key, display_name, locale, role, signup, password_hash, password_scheme, email_verified_at)
  values (
    :id, :email, :emailKey, :displayName, :locale, :role, :signup, :passwordHash,
    case when cast(:passwordHash as text) is not null then 'peppered' end,
    case when :isEmailVerified then now() end)
  on conflict (email_key) do nothing
  returning id`);

/** Registered with two passwords: name and language are cleared, as it is unknown which was the owner’s. */
export const markContested = txStatement.run<[accountId: string]>(
  'update account set is_contested = true, display_name = null, locale = default where id = ?',
);

/** Removes what somebody registered who has not shown that the email is theirs: password, name and language. */
export const discardRegistration = txStatement.run<[accountId: string]>(`update account
  set password_hash = null, password_scheme = null, password_version = password_version + 1,
    display_name = null, locale = default
  where id = ?`);

export const setNames = txStatement.run<Pick<Account, 'displayName' | 'locale'> & { accountId: string }>(
  'update account set display_name = :displayName, locale = :locale where id = :accountId',
);

/** Records that the owner has proved the email, and completes a sign-up that waited for that. */
export const markEmailVerified = txStatement.run<[accountId: string]>(`update account
  set email_verified_at = coalesce(email_verified_at, now()), signup = 'complete', is_contested = false
  where id = ?`);

/** Removes a password that was never proved to be the owner’s; the owner sets a new one with a mailed code. */
export const removePassword = txStatement.run<[accountId: string]>(`update account
  set password_hash = null, password_scheme = null, password_version = password_version + 1,
    new_password_required = true
  where id = ?`);

/** For an owner whom a provider recognised by the email: a password and name registered without proof are removed. */
export const completeBySso = txStatement.run<{
  accountId: string;
  displayName: string | undefined;
  locale: string | undefined;
}>(`update account
  set signup = 'complete', email_verified_at = now(), password_hash = null, password_scheme = null,
    password_version = password_version + 1, new_password_required = false, is_contested = false,
    display_name = coalesce(case when signup = 'complete' then null else display_name end, :displayName),
    locale = coalesce(:locale, locale)
  where id = :accountId`);

/** Changes the email to one that the owner has proved, or `verifies` not. After `false`, as it is taken, only roll back. */
export async function updateEmail(
  tx: Transaction,
  accountId: string,
  { email, emailKey, verifies = true }: { email: string; emailKey: string; verifies?: boolean },
): Promise<boolean> {
  const sql = `update account
    set email = ?, email_key = ?, email_verified_at = case when ? or email_verified_at is not null then now() end
    where id = ?`;
  try {
    await query(tx, sql, [email, emailKey, verifies, accountId]);
    return true;
  } catch (error) {
    if (isDuplicate(error, 'account_email_key')) return false;
    throw error;
  }
}

/** Sets a password that the owner chose; a new password is then no longer required. */
export const updatePassword = txStatement.run<{ accountId: string; passwordHash: string }>(`update account
  set password_hash = :passwordHash, password_scheme = 'peppered', password_version = password_version + 1,
    new_password_required = false
  where id = :accountId`);

/** Whether the account with this alias is disabled now, which may have ended by itself, as SQL. */
export function disabledNow(alias: string): string {
  return `is_disabled_now(${alias}.is_disabled, ${alias}.disabled_until)`;
}

export interface ToldBan {
  /** `null`: it does not end by itself. */
  until: Date | null;
  reason: string | null;
}

/** `undefined` if the account is not disabled, or an administrator has not chosen to tell. */
export const findToldBan = statement.row<ToldBan, [accountId: string]>(`
  select disabled_until as until, disabled_reason as reason from account
  where id = ? and tells_reason and ${disabledNow('account')}`);

/** For each bound, the highest cost of a hash up to it (two digits from the fifth character), if any, by an index. */
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
export const renewHash = txStatement.run<{ accountId: string; from: string; to: string }>(
  `update account set password_hash = :to, password_scheme = 'peppered' where id = :accountId and password_hash = :from`,
);
