import { accounts, inTransaction, sessionConfirmations } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../../deps.ts';
import type { Throttled } from '../../login/attempts.ts';
import { usesSecondFactor } from '../../login/login-status.ts';
import type { ShownAssertion } from '../../passkey/check-assertion.ts';
import { proveOwner } from '../../passkey/prove-owner.ts';

/** How a confirmation ended; `unproven`: the account is protected by more than its password. */
export type SessionConfirmation =
  | { kind: 'confirmed' }
  | { kind: 'wrong'; shown: 'password' | 'code' | 'passkey' }
  | { kind: 'unproven' }
  | Throttled;

/** What an owner shows again: the password, a second factor, or a passkey's signature. */
export type ShownAgain = { password: string } | { code: string } | { passkey: ShownAssertion };

interface OwnSession {
  accountId: string;
  sessionId: string;
  addressGroup: string;
}

/**
 * Notes for a session that its owner has just shown again who they are, which dangerous actions ask for, and what adds
 * a passkey or an authenticator. So a password is not enough where there is a second factor: with it and a stolen session
 * somebody could give themselves one.
 */
export async function confirmSession(
  deps: LoginDeps,
  own: OwnSession & ShownAgain,
  origin: Origin,
): Promise<SessionConfirmation> {
  if ('password' in own) {
    const account = await accounts.findById(deps.db, own.accountId);
    if (account === undefined || usesSecondFactor(account)) return { kind: 'unproven' };
  }
  const proof = await proveOwner(deps, own, origin);
  if (proof.kind !== 'proved') return proof;
  const isNoted = await inTransaction(deps.db, origin, async (tx) => {
    if (!(await proof.use(tx))) return false;
    await sessionConfirmations.note(tx, own.sessionId);
    return true;
  });
  return isNoted ? { kind: 'confirmed' } : { kind: 'wrong', shown: 'code' in own ? 'code' : 'passkey' };
}
