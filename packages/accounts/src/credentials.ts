import type { PasswordFault } from '@gatehouse/auth-core';
import { accounts, type Account } from '@gatehouse/db';
import { beginForAccount, beginFromAddress, type Throttled } from './attempts.ts';
import type { AccountsDeps } from './deps.ts';
import { isPendingWithoutPassword } from './login-status.ts';

/** How a check of a password ended. `pending`: there is none yet, and that may be said. */
export type PasswordOutcome = { account: Account; pending?: boolean } | { failed: true } | Throttled;

/**
 * Checks a password for an email. Unknown accounts, and those without a password, cost the same work and give
 * the same outcome as a wrong password (contract 3.1).
 *
 * @throws {Unavailable} when no hashing thread or no database was free in time; such an attempt does not count.
 */
export async function checkPassword(
  deps: AccountsDeps,
  attempt: { emailKey: string; password: string; addressGroup: string },
): Promise<PasswordOutcome> {
  const fromAddress = await beginFromAddress(deps, attempt.addressGroup);
  if ('retryAfterSeconds' in fromAddress) return fromAddress;
  try {
    const outcome = await checkCounted(deps, attempt);
    await ('failed' in outcome ? fromAddress.failed() : fromAddress.succeeded());
    return outcome;
  } catch (error) {
    await fromAddress.undecided();
    throw error;
  }
}

async function checkCounted(
  deps: AccountsDeps,
  { emailKey, password }: { emailKey: string; password: string },
): Promise<PasswordOutcome> {
  const account = await accounts.findByEmailKey(deps.db, emailKey);
  if (account !== undefined && isPendingWithoutPassword(account) && deps.settings.DISCLOSE_PENDING_ACCOUNTS) {
    return { account, pending: true };
  }
  const forAccount = await beginForAccount(deps, emailKey);
  if ('retryAfterSeconds' in forAccount) return forAccount;
  try {
    if (account !== undefined && (await isRight(deps, account, password))) {
      await forAccount.succeeded();
      return { account };
    }
    if (account === undefined) await deps.passwords.verifyNothing(password);
  } catch (error) {
    await forAccount.undecided();
    throw error;
  }
  await forAccount.failed();
  return { failed: true };
}

async function isRight(deps: AccountsDeps, account: Account, password: string): Promise<boolean> {
  const { passwordHash: hash, passwordScheme: scheme } = account;
  if (hash === null || scheme === null || account.signup !== 'complete') {
    return deps.passwords.verifyNothing(password);
  }
  return deps.passwords.verify(password, { hash, scheme });
}

/** Replaces a hash that was imported, or made at another cost, now that the password is known to be right. */
export async function renewHash(deps: AccountsDeps, account: Account, password: string): Promise<void> {
  const { passwordHash: hash, passwordScheme: scheme } = account;
  if (hash === null || scheme === null || deps.passwords.isCurrent({ hash, scheme })) return;
  const renewed = await deps.passwords.hash(password);
  await accounts.renewPasswordHash(deps.db, account.id, { from: hash, to: renewed });
}

/** What is wrong with a chosen password, in words for the one who chose it; `undefined` when nothing is. */
export function describePasswordFault(
  deps: AccountsDeps,
  password: string,
  email: string,
): string | undefined {
  const fault = deps.passwords.check(password, email);
  return fault === undefined ? undefined : PASSWORD_FAULTS[fault](deps.settings.PASSWORD_MIN_LENGTH);
}

const PASSWORD_FAULTS: Record<PasswordFault, (minLength: number) => string> = {
  too_short: (minLength) => `must have at least ${minLength} characters`,
  too_long: () => 'must have at most 256 characters',
  too_common: () => 'is among the most common passwords',
  like_email: () => 'must not be the email address or its local part',
  malformed: () => 'must be well-formed text without NUL characters',
};
