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
import { accountUpdated } from '../account-admin/account-updated.ts';
import type { NoticeDeps, Origin } from '../deps.ts';
import { endSessions } from '../session/sessions.ts';

/**
 * Whether an account waits for its guest, who comes by a link. A guest who expired for want of content begins
 * again; one whom an administrator expired stays so.
 */
export function awaitsGuest(account: Account, hasAnyAccess: boolean): boolean {
  return account.signup === 'invitation' || (isRevivable(account) && !hasAnyAccess);
}

/** Whether an invitation lets the guest start over, which undoes nothing that an administrator has decided. */
export function isRevivable({ role, isWithoutContent }: Account): boolean {
  return role === 'Guest' && isWithoutContent;
}

/** Whether a link opens nothing, and is therefore not mailed: the account is disabled, or expired and stays so. */
export function isShut(account: Account): boolean {
  return account.isDisabled || (account.isExpired && !isRevivable(account));
}

/**
 * Makes a revivable guest a pending one, who starts over: password, passkeys, second factor, codes and sessions are void.
 * Returns the sessions that this changed.
 */
export async function reviveGuest(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  by: { changedBy: string | undefined; origin: Origin },
): Promise<string[]> {
  const { origin } = by;
  const change = { status: SessionStatus.Expired, reason: 'invited_anew', changedBy: undefined };
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
