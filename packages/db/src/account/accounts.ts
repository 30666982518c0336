import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** How far an account's sign-up has come. */
export type Signup = 'complete' | 'new' | 'migration' | 'invitation';

/** An account as the rules of logging in see it. `isExpired` is judged by the database's clock. */
export interface Account {
  id: string;
  email: string;
  displayName: string | null;
  locale: string;
  role: 'User' | 'Guest' | 'Admin';
  signup: Signup;
  /** Of the password; `null` when there is none. */
  passwordScheme: 'peppered' | 'raw' | null;
  /** Another password has another one; a hash that is merely renewed has not. */
  passwordVersion: number;
  isEmailVerified: boolean;
  /** Registered with two passwords before its email was verified: none of them may open it. */
  isContested: boolean;
  isDisabled: boolean;
  isExpired: boolean;
  /** Expired for want of content alone, and not by an administrator: an invitation may let the guest begin anew. */
  isWithoutContent: boolean;
  isNewPasswordRequired: boolean;
  isTwoFactorRequired: boolean;
  /** As it was when the statement began: under a lock, `twoFactor.find` tells it as it is. */
  isTwoFactorEnabled: boolean;
}

/** An account with the hash of its password, which Portal may not read. */
export interface AccountWithHash extends Account {
  passwordHash: string | null;
}

/** What `Account` is read from. */
export const ACCOUNT_COLUMNS = `
  id, email, display_name as "displayName", locale, role, signup, password_scheme as "passwordScheme",
  password_version as "passwordVersion",
  email_verified_at is not null as "isEmailVerified",
  is_contested as "isContested",
  is_disabled as "isDisabled",
  coalesce(expires_at <= now(), false) as "isExpired",
  coalesce(
    expires_at <= now() and expires_at = content_expired_at
      and (expires_at_before is null or expires_at_before > now()),
    false) as "isWithoutContent",
  new_password_required as "isNewPasswordRequired",
  two_factor_required as "isTwoFactorRequired",
  exists (
    select 1 from two_factor where account_id = account.id and enabled_at is not null
  ) as "isTwoFactorEnabled"`;

/** The account of an email's key, or `undefined`. */
export async function findByEmailKey(executor: Executor, emailKey: string): Promise<Account | undefined> {
  const [row] = await query<Account>(executor, `select ${ACCOUNT_COLUMNS} from account where email_key = ?`, [
    emailKey,
  ]);
  return row;
}

/** The account of an id, or `undefined`. */
export async function findById(executor: Executor, accountId: string): Promise<Account | undefined> {
  const [row] = await query<Account>(executor, `select ${ACCOUNT_COLUMNS} from account where id = ?`, [
    accountId,
  ]);
  return row;
}

/** As `findByEmailKey`, for whoever checks passwords. */
export async function findWithHash(
  executor: Executor,
  emailKey: string,
): Promise<AccountWithHash | undefined> {
  const sql = `select ${ACCOUNT_COLUMNS}, password_hash as "passwordHash" from account where email_key = ?`;
  const [row] = await query<AccountWithHash>(executor, sql, [emailKey]);
  return row;
}

/** The highest cost among the bcrypt hashes of all passwords, by an index; `undefined` without any. */
export async function findDearestCost(executor: Executor): Promise<number | undefined> {
  const [row] = await query<{ cost: number | null }>(
    executor,
    `select max(substr(password_hash, 5, 2))::int as cost from account where password_hash is not null`,
  );
  return row?.cost ?? undefined;
}

/** The account of an email's key, locked until the transaction ends. */
export async function lockByEmailKey(tx: Transaction, emailKey: string): Promise<Account | undefined> {
  const sql = `select ${ACCOUNT_COLUMNS} from account where email_key = ? for update`;
  const [row] = await query<Account>(tx, sql, [emailKey]);
  return row;
}

/** As `lockByEmailKey`, for whoever has checked a password. */
export async function lockWithHash(tx: Transaction, emailKey: string): Promise<AccountWithHash | undefined> {
  const sql = `select ${ACCOUNT_COLUMNS}, password_hash as "passwordHash" from account where email_key = ? for update`;
  const [row] = await query<AccountWithHash>(tx, sql, [emailKey]);
  return row;
}

/** The account of an id, locked until the transaction ends. */
export async function lockById(tx: Transaction, accountId: string): Promise<Account | undefined> {
  const [row] = await query<Account>(tx, `select ${ACCOUNT_COLUMNS} from account where id = ? for update`, [
    accountId,
  ]);
  return row;
}

/** Adds an account; `false` when the email has one already. */
export async function insert(
  tx: Transaction,
  account: {
    id: string;
    email: string;
    emailKey: string;
    displayName: string | undefined;
    locale: string;
    role: Account['role'];
    signup: Signup;
    passwordHash: string | undefined;
    isEmailVerified: boolean;
  },
): Promise<boolean> {
  const rows = await query(
    tx,
    `insert into account (
       id, email, email_key, display_name, locale, role, signup, password_hash, password_scheme, email_verified_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, case when ? then now() end)
     on conflict (email_key) do nothing
     returning id`,
    [
      account.id,
      account.email,
      account.emailKey,
      account.displayName ?? null,
      account.locale,
      account.role,
      account.signup,
      account.passwordHash ?? null,
      account.passwordHash === undefined ? null : 'peppered',
      account.isEmailVerified,
    ],
  );
  return rows.length === 1;
}

/** Stores what a registration gave and leaves the account waiting for its email's verification. */
export async function updateForRegistration(
  tx: Transaction,
  accountId: string,
  given: { passwordHash: string; displayName: string | undefined; locale: string | undefined },
): Promise<void> {
  await query(
    tx,
    `update account
     set password_hash = ?, password_scheme = 'peppered', password_version = password_version + 1,
       signup = 'complete', email_verified_at = null,
       display_name = coalesce(?, display_name), locale = coalesce(?, locale)
     where id = ?`,
    [given.passwordHash, given.displayName ?? null, given.locale ?? null, accountId],
  );
}

/** Notes that it was registered with two passwords. Which name and language the owner gave nobody can tell. */
export async function markContested(tx: Transaction, accountId: string): Promise<void> {
  await query(
    tx,
    'update account set is_contested = true, display_name = null, locale = default where id = ?',
    [accountId],
  );
}

/** Notes that the owner has proved the email to be theirs, and completes a sign-up that waited for that. */
export async function markEmailVerified(tx: Transaction, accountId: string): Promise<void> {
  await query(
    tx,
    `update account
     set email_verified_at = coalesce(email_verified_at, now()), signup = 'complete', is_contested = false
     where id = ?`,
    [accountId],
  );
}

/** Takes away a password that nobody has proved to be the owner's: they choose one with a code from a mail. */
export async function removePassword(tx: Transaction, accountId: string): Promise<void> {
  await query(
    tx,
    `update account
     set password_hash = null, password_scheme = null, password_version = password_version + 1,
       new_password_required = true
     where id = ?`,
    [accountId],
  );
}

/** Completes an account without a password whose owner an identity provider has recognised by its email. */
export async function completeBySso(
  tx: Transaction,
  accountId: string,
  displayName: string | undefined,
): Promise<void> {
  await query(
    tx,
    `update account
     set signup = 'complete', email_verified_at = now(), display_name = coalesce(display_name, ?)
     where id = ?`,
    [displayName ?? null, accountId],
  );
}

/** Sets a new password of the owner's choice; a new one is no longer required. */
export async function updatePassword(
  tx: Transaction,
  accountId: string,
  passwordHash: string,
): Promise<void> {
  await query(
    tx,
    `update account
     set password_hash = ?, password_scheme = 'peppered', password_version = password_version + 1,
       new_password_required = false
     where id = ?`,
    [passwordHash, accountId],
  );
}

/** Replaces an imported hash by ours, unless the password was changed since it was read. */
export async function renewPasswordHash(
  tx: Transaction,
  accountId: string,
  change: { from: string; to: string },
): Promise<void> {
  await query(
    tx,
    `update account set password_hash = ?, password_scheme = 'peppered' where id = ? and password_hash = ?`,
    [change.to, accountId, change.from],
  );
}

/** Notes a login. */
export async function markLogin(tx: Transaction, accountId: string): Promise<void> {
  await query(tx, 'update account set last_login_at = now() where id = ?', [accountId]);
}
