import { sessionTakeOvers, type Transaction, type userSessions } from '@gatehouse/db';

/** Where all sessions of an account end for safety, a login that only waits to take one over must not survive. */
export async function voidTakeOvers(tx: Transaction, target: userSessions.Target): Promise<void> {
  if (target.kind === 'accounts') await sessionTakeOvers.deleteOf(tx, target.accountIds);
  if (target.kind === 'account' || target.kind === 'signed-on' || target.kind === 'passkey')
    await sessionTakeOvers.deleteOf(tx, [target.accountId]);
}
