import { accounts, inTransaction, sessionConfirmations, type ConfirmationPurpose } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../../deps.ts';
import type { Throttled } from '../../checks/attempts.ts';
import { usesSecondFactor } from '../../checks/login-status.ts';
import type { PresentedAssertion } from '../../passkey/check-assertion.ts';
import { proveOwner } from '../../passkey/prove-owner.ts';

/** The result of a confirmation; `unproven`: the account is protected by more than its password. */
export type SessionConfirmation =
  | { kind: 'confirmed' }
  | { kind: 'wrong'; shown: 'password' | 'code' | 'passkey' }
  | { kind: 'unproven' }
  | Throttled;

/** The proof that an owner gives again: the password, a second factor, or a passkey's signature. */
export type ConfirmationProof = { password: string } | { code: string } | { passkey: PresentedAssertion };

interface OwnSession {
  accountId: string;
  sessionId: string;
  /** The credential with which the proof is shown, and for which alone it counts: `credentialNameOf`. */
  credential: string;
  purpose: ConfirmationPurpose;
  addressGroup: string;
}

/**
 * Records for a session that its owner has just proved their identity again. Dangerous actions require this, and so
 * does adding a passkey or an authenticator. If there is a second factor, the password is not enough: otherwise an
 * attacker with a stolen session and the password could add a second factor.
 */
export async function confirmSession(
  deps: LoginDeps,
  own: OwnSession & ConfirmationProof,
  origin: Origin,
): Promise<SessionConfirmation> {
  if ('password' in own) {
    const account = await accounts.findById(deps.db, own.accountId);
    if (account === undefined || usesSecondFactor(account)) return { kind: 'unproven' };
  }
  // The proof that is shown has to do: no earlier one counts here.
  const proof = await proveOwner(deps, { ...own, isHandedOver: true }, origin);
  if (proof.kind !== 'proved') return proof;
  const isNoted = await inTransaction(deps.db, origin, async (tx) => {
    if (!(await proof.use(tx))) return false;
    const by = 'passkey' in own ? 'passkey' : 'code' in own ? 'second-factor' : 'password';
    const { sessionId, credential, purpose } = own;
    await sessionConfirmations.record(tx, { sessionId, credential, purpose, by: [by] });
    return true;
  });
  return isNoted ? { kind: 'confirmed' } : { kind: 'wrong', shown: 'code' in own ? 'code' : 'passkey' };
}
