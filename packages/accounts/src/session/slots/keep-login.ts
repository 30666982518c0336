import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { sessionTakeOvers, type Account, type Authentication, type Transaction } from '@gatehouse/db';

/** How long a token works that takes over a slot. */
export const TAKE_OVER_SECONDS = 120;

/** Stores a login whose proof is complete, and returns the token that stands for it. */
export async function keepLogin(
  tx: Transaction,
  account: Account,
  login: { tag: string; deviceName: string | undefined; authentication: Authentication },
): Promise<string> {
  const token = newInvitationToken();
  await sessionTakeOvers.insert(tx, {
    ...login,
    tokenHash: hashInvitationToken(token),
    accountId: account.id,
    passwordVersion: account.passwordVersion,
    lifetimeSeconds: TAKE_OVER_SECONDS,
  });
  return token;
}
