import { hashInvitationToken } from '@gatehouse/auth-core';
import { accounts, sessionTakeOvers, type Transaction } from '@gatehouse/db';
import { emailKey, normalizeEmail } from '@gatehouse/schema';
import { FAILED_CHECK, withAddressThrottle, type Throttled } from '../../checks/attempts.ts';
import { withOwner, type Attempted } from '../../checks/credentials.ts';
import type { OpeningDeps, ThrottleDeps } from '../../deps.ts';
import { openSession, type LoginOrigin, type Opening } from '../open-and-end.ts';

export type TakenOver =
  | (Exclude<Opening, { kind: 'stale' }> & { accountId: string })
  | ({ kind: 'failed' } & Attempted)
  | Throttled;

/**
 * Logs in with the token of a login that found every slot taken: it ends the session that was not seen for the longest
 * time. The token stands for the whole proof, works once, and only for its account while that has the same password. An
 * unknown token has the same result as a wrong password, and is counted by address.
 */
export async function takeOverSession(
  deps: OpeningDeps & ThrottleDeps,
  { token, userName, addressGroup }: { token: string; userName: string | undefined; addressGroup: string },
  origin: LoginOrigin,
): Promise<TakenOver> {
  const tokenHash = hashInvitationToken(token);
  return withAddressThrottle<TakenOver>(deps, { addressGroup }, async () => {
    const stored = await sessionTakeOvers.find(deps.db, tokenHash);
    const account = stored && (await accounts.findById(deps.db, stored.accountId));
    if (stored === undefined || account === undefined || !isNamed(account, userName)) return FAILED_CHECK;
    const { tag, by, ageSeconds, passkeyId } = stored;
    // A second factor that the account has got since then is not part of the proof.
    const isEnough = by.includes('second-factor') || by.includes('passkey');
    const prove = async (tx: Transaction, needsSecondFactor: boolean) =>
      (isEnough || !needsSecondFactor) && (await sessionTakeOvers.use(tx, tokenHash));
    const login = {
      ...origin,
      tag,
      takesOver: true,
      deviceName: origin.deviceName ?? stored.deviceName ?? undefined,
      authentication: { by, ageSeconds: ageSeconds ?? undefined, passkeyId: passkeyId ?? undefined },
    };
    const opening = await openSession(deps, account, login, prove, origin.onOpen);
    if (opening.kind === 'stale') return withOwner<TakenOver>(FAILED_CHECK, account.id);
    return { counts: 'succeeded', outcome: { ...opening, accountId: account.id } };
  });
}

/** Whether this is the account that a login names, if it names one. */
function isNamed(account: { email: string }, userName: string | undefined): boolean {
  if (userName === undefined) return true;
  const email = normalizeEmail(userName);
  return email !== undefined && emailKey(email) === emailKey(account.email);
}
