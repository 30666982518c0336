import { SessionStatus } from '@gatehouse/schema';
import {
  accountCodes,
  guestAccounts,
  loginThrottle,
  passkeys,
  recoveryCodes,
  twoFactor,
  userSessions,
  type Account,
  type KeyedAccount,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { accountUpdated } from '../account/admin/account-updated.ts';
import type { Origin } from '../deps.ts';
import type { WriteTransaction } from '../session/write.ts';

/**
 * Whether an account waits for its guest to open a link. A guest who expired without content starts over; a guest whom
 * an administrator expired stays expired.
 */
export function awaitsGuest(account: Account, hasAnyAccess: boolean): boolean {
  return account.signup === 'invitation' || (isRevivable(account) && !hasAnyAccess);
}

/** Whether an invitation lets the guest start over without undoing a decision of an administrator. */
export function isRevivable({ role, isWithoutContent }: Account): boolean {
  return role === 'Guest' && isWithoutContent;
}

/** Whether a link would not work, and is therefore not mailed: the account is disabled, or permanently expired. */
export function isBlocked(account: Account): boolean {
  return account.isDisabled || (account.isExpired && !isRevivable(account));
}

/**
 * Makes a revivable guest pending again, to start over: password, passkeys, second factor, codes and sessions become
 * invalid.
 */
export async function reviveGuest(
  tx: WriteTransaction,
  account: KeyedAccount,
  by: { changedBy: string | undefined; origin: Origin },
): Promise<void> {
  const ending = { status: SessionStatus.Expired, reason: 'invited_anew', changedBy: undefined } as const;
  await tx.endSessions({ kind: 'account', accountId: account.id }, ending);
  await guestAccounts.revive(tx, account.id);
  await accountCodes.deleteAll(tx, account.id);
  await passkeys.removeAll(tx, account.id);
  const hadTwoFactor = await twoFactor.remove(tx, account.id);
  await recoveryCodes.deleteUnneeded(tx, account.id);
  await loginThrottle.clear(tx, { kind: 'email', emailKey: account.emailKey });
  await loginThrottle.clear(tx, { kind: 'second-factor', accountId: account.id });
  for (const event of accountUpdated(account.id, ['ExpiresAt'], by)) tx.event(event);
  // Sends no mail: the invitation's mail informs the guest.
  if (hadTwoFactor) tx.event(newEvent('account.two-factor-disabled', { UserId: account.id }, by.origin));
  tx.changesSessions(await userSessions.renewCopies(tx, [account.id]));
}
