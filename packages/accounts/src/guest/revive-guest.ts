import { SessionStatus } from '@gatehouse/schema';
import {
  accountCodes,
  guestAccounts,
  loginThrottle,
  outbox,
  passkeys,
  recoveryCodes,
  twoFactor,
  userSessions,
  type Account,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { accountUpdated } from '../account/admin/account-updated.ts';
import type { NoticeDeps, Origin } from '../deps.ts';
import { endSessions } from '../session/sessions.ts';

/**
 * Whether an account waits for its guest to open a link. A guest who expired without content starts over; a guest whom
 * an administrator expired stays expired.
 */
export function isWaitingForGuest(account: Account, hasAnyAccess: boolean): boolean {
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
 * invalid. Returns the sessions that this changed.
 */
export async function reviveGuest(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  by: { changedBy: string | undefined; origin: Origin },
): Promise<string[]> {
  const { origin } = by;
  const change = { status: SessionStatus.Expired, reason: 'invited_anew', changedBy: undefined } as const;
  const ended = await endSessions(deps, tx, { kind: 'account', accountId: account.id }, change, origin);
  await guestAccounts.revive(tx, account.id);
  await accountCodes.deleteAll(tx, account.id);
  await passkeys.removeAll(tx, account.id);
  const hadTwoFactor = await twoFactor.remove(tx, account.id);
  await recoveryCodes.deleteUnneeded(tx, account.id);
  await loginThrottle.clear(tx, { kind: 'email', emailKey: account.emailKey });
  await loginThrottle.clear(tx, { kind: 'second-factor', accountId: account.id });
  await outbox.add(tx, [
    ...accountUpdated(account.id, ['ExpiresAt'], by),
    // Sends no mail: the invitation's mail informs the guest.
    ...(hadTwoFactor ? [newEvent('account.two-factor-disabled', { UserId: account.id }, origin)] : []),
  ]);
  return [...ended, ...(await userSessions.renewCopies(tx, [account.id]))];
}
