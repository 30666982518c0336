import { CLASS_MAX, type HighestCosts, type PasswordFault, type Passwords } from '@gatehouse/auth-core';
import {
  accounts,
  inTransaction,
  outbox,
  passwordHashes,
  passwordProofs,
  type Account,
  type AccountWithHash,
  type ThrottleKey,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { emailKey, normalizeEmail, type FaultCode } from '@gatehouse/schema';
import { withThrottle, type CheckResult, type Throttled } from './attempts.ts';
import type { AccountsDeps, PasswordDeps } from '../deps.ts';
import type { AccountSettings } from '../settings/account-settings.ts';
import { requiresSecondFactor, isPendingWithoutPassword } from './login-status.ts';

/** The result of checking a password. `pending`: the account has none yet, and the caller may be told so. */
export type PasswordOutcome<A extends Account> =
  { kind: 'right' | 'pending'; account: A } | { kind: 'failed' } | Throttled;

/** The key of the account that a password is checked for, whether or not the account exists. */
type UserName = Extract<ThrottleKey, { kind: 'email' | 'user-name' }>;

/**
 * Checks a password for a typed email. Unknown accounts, and accounts without a password, cost the same work and give
 * the same result as a wrong password. If a second factor is also required, the correct password alone does not clear
 * failures: otherwise an attacker who knows it could guess codes without limit.
 *
 * @throws {Unavailable} if no hashing thread or no database was available in time; such an attempt does not count,
 * except an `UnfinishedCheck`.
 */
export async function checkPassword(
  deps: PasswordDeps,
  attempt: { userName: string; password: string; addressGroup: string },
): Promise<PasswordOutcome<AccountWithHash>> {
  const { password } = attempt;
  return checkNamed<AccountWithHash>(deps, {
    ...attempt,
    userName: readUserName(deps, attempt.userName),
    find: (key) => accounts.findWithHash(deps.db, key),
    isRight: (account) => isRight(deps, account, password),
  });
}

/** An account whose password was proved, and the proof, which the database requires for changes. */
export interface ProvedAccount {
  kind: 'proved';
  account: Account;
  proof: string;
}

/**
 * Checks the password of a known account with the same counters as a login, but without reading its hash: an attacker
 * who takes over the calling service cannot change a password without knowing it.
 */
export async function checkOwnPassword(
  deps: PasswordDeps,
  attempt: { accountId: string; password: string; addressGroup: string },
): Promise<ProvedAccount | { kind: 'failed' } | Throttled> {
  const { accountId, password, addressGroup } = attempt;
  const own = await accounts.findById(deps.db, accountId);
  let proof: string | undefined;
  const outcome = await checkNamed<Account>(deps, {
    userName: { kind: 'email', emailKey: emailKey(own?.email ?? '') },
    password,
    addressGroup,
    find: (key) => accounts.findByEmailKey(deps.db, key),
    isRight: async (account) => {
      proof = await prove(deps, account, password);
      const isProved = proof !== undefined && (await passwordProofs.check(deps.db, account.id, proof));
      return isProved ?? { kind: 'throttled', retryAfterSeconds: PROOF_SECONDS };
    },
  });
  if (outcome.kind === 'failed' || outcome.kind === 'throttled') return outcome;
  const { kind, account } = outcome;
  return account.id === accountId && kind === 'right' && proof !== undefined
    ? { kind: 'proved', account, proof }
    : { kind: 'failed' };
}

/** After too many wrong proofs of an administrator's password, how soon the database accepts another one. */
const PROOF_SECONDS = 60;

/** Text that is not an email address has no account; it costs the same work, and is counted under a separate key. */
function readUserName(deps: Pick<AccountsDeps, 'codes'>, typed: string): UserName {
  const email = normalizeEmail(typed);
  if (email !== undefined) return { kind: 'email', emailKey: emailKey(email) };
  return { kind: 'user-name', hash: deps.codes.hash({ purpose: 'user name', accountId: '' }, typed) };
}

interface Named<A extends Account> {
  userName: UserName;
  password: string;
  addressGroup: string;
  find: (emailKey: string) => Promise<A | undefined>;
  isRight: (account: A) => Promise<boolean | Throttled>;
}

async function checkNamed<A extends Account>(
  deps: PasswordDeps,
  attempt: Named<A>,
): Promise<PasswordOutcome<A>> {
  const { addressGroup, userName: about } = attempt;
  const counted = { by: 'address', addressGroup, about } as const;
  return (await withThrottle(deps, counted, () => checkFromAddress(deps, attempt))).outcome;
}

async function checkFromAddress<A extends Account>(
  deps: PasswordDeps,
  { userName: key, password, addressGroup, find, isRight: checks }: Named<A>,
): Promise<CheckResult<PasswordOutcome<A>>> {
  const account = key.kind === 'email' ? await find(key.emailKey) : undefined;
  if (account !== undefined && isPendingWithoutPassword(account) && deps.settings.DISCLOSE_PENDING_ACCOUNTS) {
    return { counts: 'aborted', outcome: { kind: 'pending', account } };
  }
  const counted = {
    by: 'owner',
    key,
    accountId: account?.id,
    addressGroup,
    onFailure: (failures: number) => notifyOfLock(deps, account, failures),
  } as const;
  return withThrottle(deps, counted, async (): Promise<CheckResult<PasswordOutcome<A>>> => {
    if (account === undefined) await deps.passwords.verifyNothing(password, highestCostsIn(deps));
    else {
      const verdict = await checks(account);
      if (typeof verdict === 'object') return { counts: 'aborted', outcome: verdict };
      if (verdict)
        return {
          counts: requiresSecondFactor(account) ? 'partialSuccess' : 'succeeded',
          outcome: { kind: 'right', account },
        };
    }
    return { counts: 'failed', outcome: { kind: 'failed' } };
  });
}

/**
 * Publishes that the account is locked, in a separate transaction: whatever the attempt's answer, its count remains.
 */
async function notifyOfLock(
  { db, settings }: Pick<AccountsDeps, 'db' | 'settings'>,
  account: Account | undefined,
  failures: number,
): Promise<void> {
  if (account === undefined || failures !== settings.LOGIN_FAILURES_FREE) return;
  const locked = newEvent('account.locked', { UserId: account.id });
  await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [locked]));
}

async function isRight(deps: PasswordDeps, account: AccountWithHash, password: string): Promise<boolean> {
  const { passwordHash: hash, passwordScheme: scheme } = account;
  if (hash === null || scheme === null || account.signup !== 'complete') {
    return deps.passwords.verifyNothing(password, highestCostsIn(deps));
  }
  return deps.passwords.verify(password, { hash, scheme }, highestCostsIn(deps));
}

/** The time need not be the same as for a login: a caller who is logged in knows that the account exists. */
async function prove(deps: PasswordDeps, account: Account, password: string): Promise<string | undefined> {
  const { id, passwordScheme: scheme, signup } = account;
  const salt =
    scheme === null || signup !== 'complete' ? undefined : await passwordProofs.findSalt(deps.db, id);
  if (salt === undefined || scheme === null) {
    await deps.passwords.verifyNothing(password);
    return undefined;
  }
  return deps.passwords.prove(password, { salt, scheme });
}

function highestCostsIn({ db, settings }: Pick<AccountsDeps, 'db' | 'settings'>): HighestCosts {
  const bounds = settings.IMPORT_EVEN_TIME ? [CLASS_MAX.own, CLASS_MAX.foreign] : [CLASS_MAX.own];
  return () => passwordHashes.findHighestCosts(db, bounds);
}

/** Replaces a hash that was imported, or made with a different cost, after the password was found to be correct. */
export async function renewHash(
  deps: Pick<AccountsDeps, 'db' | 'passwords'>,
  account: AccountWithHash,
  password: string,
): Promise<void> {
  const { passwordHash: hash, passwordScheme: scheme } = account;
  if (hash === null || scheme === null || !deps.passwords.isRenewable(password, { hash, scheme })) return;
  const renewed = await deps.passwords.hash(password);
  const change = { from: hash, to: renewed };
  await inTransaction(deps.db, NO_DEADLINE, (tx) => passwordHashes.renew(tx, account.id, change));
}

/** Why a chosen password is not accepted. */
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
