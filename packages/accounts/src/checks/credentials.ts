import { CLASS_MAX, type HighestCosts, type PasswordFault, type Passwords } from '@gatehouse/auth-core';
import { accounts, inTransaction, outbox } from '@gatehouse/db';
import type { Account, AccountWithHash, ThrottleKey } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { emailKey, normalizeEmail, type FaultCode } from '@gatehouse/schema';
import { FAILED_CHECK, withAddressThrottle, withThrottle } from './attempts.ts';
import type { CheckResult, Throttled } from './attempts.ts';
import type { AccountsDeps, PasswordDeps } from '../deps.ts';
import type { AccountSettings } from '../settings/account-settings.ts';
import { requiresSecondFactor, isPendingWithoutPassword } from './login-status.ts';

/** `pending`: it has none yet, which the caller may know. `ownerId`: whose email it is, which they must not know. */
export type PasswordOutcome =
  | { kind: 'right' | 'pending'; account: AccountWithHash }
  | ({ kind: 'failed' } & Attempted)
  | (Throttled & Attempted);

/** The account that a refused attempt was for, if there is one. */
export interface Attempted {
  ownerId?: string | undefined;
}

/** The key of the account that a password is checked for, whether or not the account exists. */
type UserName = Extract<ThrottleKey, { kind: 'email' | 'user-name' }>;

/**
 * Checks a password for a typed email. Unknown accounts, and those without a password, cost the same work and give the
 * same result as a wrong one. If a second factor is required, the password alone does not clear failures: otherwise an
 * attacker who knows it could guess codes without limit.
 *
 * @throws {Unavailable} if no hashing thread or database was available in time; only an `UnfinishedCheck` counts.
 */
export async function checkPassword(
  deps: PasswordDeps,
  attempt: { userName: string; password: string; addressGroup: string },
): Promise<PasswordOutcome> {
  const { addressGroup, password } = attempt;
  await deps.passwords.from(addressGroup).requirePlace();
  const userName = readUserName(deps, attempt.userName);
  return withAddressThrottle(deps, { addressGroup, about: userName }, () =>
    checkFromAddress(deps, { userName, password, addressGroup }),
  );
}

/** Checks the password of the account that is logged in, with the same counters as a login. */
export async function checkOwnPassword(
  deps: PasswordDeps,
  { accountId, ...attempt }: { accountId: string; password: string; addressGroup: string },
): Promise<{ kind: 'right'; account: Account } | { kind: 'failed' } | Throttled> {
  const own = await accounts.findById(deps.db, accountId);
  const checked = await checkPassword(deps, { ...attempt, userName: own?.email ?? '' });
  if (checked.kind === 'throttled') return checked;
  const { kind } = checked;
  return kind === 'right' && checked.account.id === accountId
    ? { kind, account: checked.account }
    : { kind: 'failed' };
}

/** Text that is not an email address has no account; it costs the same work, and is counted under a separate key. */
function readUserName(deps: Pick<AccountsDeps, 'codes'>, typed: string): UserName {
  const email = normalizeEmail(typed);
  if (email !== undefined) return { kind: 'email', emailKey: emailKey(email) };
  return { kind: 'user-name', hash: deps.codes.hash({ purpose: 'user name', accountId: '' }, typed) };
}

async function checkFromAddress(
  deps: PasswordDeps,
  { userName: key, password, addressGroup }: { userName: UserName; password: string; addressGroup: string },
): Promise<CheckResult<PasswordOutcome>> {
  const account = key.kind === 'email' ? await accounts.findWithHash(deps.db, key.emailKey) : undefined;
  if (account !== undefined && isPendingWithoutPassword(account) && deps.settings.DISCLOSE_PENDING_ACCOUNTS) {
    // Like a failure for an email without an account: otherwise anybody could look for such accounts without limit.
    return { counts: 'failed', outcome: { kind: 'pending', account } };
  }
  const counted = {
    by: 'owner',
    key,
    accountId: account?.id,
    addressGroup,
    onFailure: (failures: number) => notifyOfLock(deps, account, failures),
  } as const;
  const checked = await withThrottle(deps, counted, async (): Promise<CheckResult<PasswordOutcome>> => {
    if (account === undefined) {
      await deps.passwords.from(addressGroup).verifyNothing(password, highestCostsIn(deps));
    } else if (await isRight(deps, account, { password, addressGroup })) {
      const counts = requiresSecondFactor(account) ? 'partialSuccess' : 'succeeded';
      return { counts, outcome: { kind: 'right', account } };
    }
    return FAILED_CHECK;
  });
  return withOwner(checked, account?.id);
}

export function withOwner<T extends { kind: string }>(checked: CheckResult<T>, ownerId: string | undefined) {
  const { outcome } = checked;
  const isRefused = outcome.kind === 'failed' || outcome.kind === 'throttled';
  return isRefused ? { ...checked, outcome: { ...outcome, ownerId } } : checked;
}

/** In a transaction of its own: whatever the attempt's answer, its count remains. */
async function notifyOfLock(
  { db, settings }: Pick<AccountsDeps, 'db' | 'settings'>,
  account: Account | undefined,
  failures: number,
): Promise<void> {
  if (account === undefined || failures !== settings.LOGIN_FAILURES_FREE) return;
  const locked = newEvent('account.locked', { UserId: account.id });
  await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [locked]));
}

interface Typed {
  password: string;
  addressGroup: string;
}

async function isRight(deps: PasswordDeps, account: AccountWithHash, { password, addressGroup }: Typed) {
  const { passwordHash: hash, passwordScheme: scheme } = account;
  const passwords = deps.passwords.from(addressGroup);
  if (hash === null || scheme === null || account.signup !== 'complete')
    return passwords.verifyNothing(password, highestCostsIn(deps));
  return passwords.verify(password, { hash, scheme }, highestCostsIn(deps));
}

function highestCostsIn({ db, settings }: Pick<AccountsDeps, 'db' | 'settings'>): HighestCosts {
  const bounds = settings.IMPORT_EVEN_TIME ? [CLASS_MAX.own, CLASS_MAX.foreign] : [CLASS_MAX.own];
  return () => accounts.findHighestCosts(db, bounds);
}

/** Replaces a hash that was imported, or made with a different cost, after the password was found to be correct. */
export async function renewHash(
  deps: Pick<AccountsDeps, 'db' | 'passwords'>,
  account: AccountWithHash,
  { password, addressGroup }: Typed,
): Promise<void> {
  const { passwordHash: hash, passwordScheme: scheme } = account;
  if (hash === null || scheme === null || !deps.passwords.isRenewable(password, { hash, scheme })) return;
  const renewed = await deps.passwords.from(addressGroup).hash(password);
  const change = { from: hash, to: renewed };
  await inTransaction(deps.db, NO_DEADLINE, (tx) =>
    accounts.renewHash(tx, { accountId: account.id, ...change }),
  );
}

export interface PasswordRefusal {
  message: string;
  code: FaultCode;
}

/** What is wrong with a chosen password, as a message for the person who chose it; `undefined` if it is accepted. */
export async function describePasswordFault(
  deps: { passwords: Pick<Passwords, 'check'>; settings: Pick<AccountSettings, 'PASSWORD_MIN_LENGTH'> },
  password: string,
  email: string,
): Promise<PasswordRefusal | undefined> {
  const fault = await deps.passwords.check(password, email);
  if (fault === undefined) return undefined;
  const [code, describe] = PASSWORD_FAULTS[fault];
  return { message: describe(deps.settings.PASSWORD_MIN_LENGTH), code };
}

const PASSWORD_FAULTS: Record<PasswordFault, [FaultCode, (minLength: number) => string]> = {
  too_short: ['password_too_short', (minLength) => `must have at least ${minLength} characters`],
  too_long: ['password_too_long', () => 'must have at most 256 characters'],
  too_common: ['password_too_common', () => 'is among the most common passwords'],
  like_email: ['password_is_email', () => 'must not be the email address or its local part'],
  malformed: ['password_malformed', () => 'must be well-formed text without NUL characters'],
};
