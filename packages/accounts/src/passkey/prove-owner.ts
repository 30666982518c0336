import { accounts, inTransaction, sessionConfirmations } from '@gatehouse/db';
import type { Account, ConfirmationPurpose, Transaction } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../deps.ts';
import { withAddressThrottle, type Throttled } from '../checks/attempts.ts';
import { checkOwnPassword } from '../checks/credentials.ts';
import { usesSecondFactor } from '../checks/login-status.ts';
import { provesFreshly, type PresentedSession } from '../session/proves-freshly.ts';
import { countedForOwner, findProof, type Proof } from '../two-factor/second-factor.ts';
import { checkAssertion, reportClone, type PresentedAssertion } from './passkey.ts';

/** The caller, and one of three proofs besides the session, or none shortly after the last one. */
export interface OwnerProofInput extends PresentedSession {
  accountId: string;
  addressGroup: string;
  password?: string | undefined;
  code?: string | undefined;
  passkey?: PresentedAssertion | undefined;
}

/** `use`: `false` if another request used it. `unproven`: a password is not enough if there is a second factor. */
export type OwnerProof =
  | { kind: 'proved'; account: Account; use: (tx: Transaction) => Promise<boolean> }
  | { kind: 'wrong'; shown: 'password' | 'code' | 'passkey' }
  | { kind: 'unproven' }
  | Throttled;

/** Where a stolen session must not be enough: with a passkey of their own, an attacker would have lasting access. */
export async function proveOwner(
  deps: LoginDeps,
  shows: OwnerProofInput,
  origin: Origin,
): Promise<OwnerProof> {
  const account = await accounts.findById(deps.db, shows.accountId);
  if (account === undefined) return { kind: 'unproven' };
  if (shows.passkey !== undefined) return byPasskey(deps, account, shows.passkey, shows, origin);
  if (shows.code !== undefined) return byCode(deps, account, shows.code, shows);
  const proved: OwnerProof = { kind: 'proved', account, use: () => Promise.resolve(true) };
  if (shows.password !== undefined) {
    const { accountId, password, addressGroup } = shows;
    const checked = await checkOwnPassword(deps, { accountId, password, addressGroup });
    if (checked.kind === 'throttled') return checked;
    if (checked.kind === 'failed') return { kind: 'wrong', shown: 'password' };
    if (!usesSecondFactor(account)) return proved;
  }
  return (await provesFreshly(deps.db, shows, account)) ? proved : { kind: 'unproven' };
}

async function byCode(
  deps: LoginDeps,
  account: Account,
  code: string,
  { addressGroup }: OwnerProofInput,
): Promise<OwnerProof> {
  const own = { accountId: account.id, code, addressGroup };
  const checked = await countedForOwner<{ kind: 'right'; proof: Proof }>(deps, own, async () => {
    const proof = await findProof(deps, account.id, code);
    return proof === undefined ? { kind: 'failed' } : { kind: 'right', proof };
  });
  if (checked.kind === 'throttled') return checked;
  if (checked.kind !== 'right') return { kind: 'wrong', shown: 'code' };
  return { kind: 'proved', account, use: checked.proof.use };
}

async function byPasskey(
  deps: LoginDeps,
  account: Account,
  shown: PresentedAssertion,
  { addressGroup }: OwnerProofInput,
  origin: Origin,
): Promise<OwnerProof> {
  return withAddressThrottle<OwnerProof>(deps, { addressGroup }, async () => {
    const assertion = await checkAssertion(deps, 'confirm', shown, origin);
    if (assertion.kind === 'cloned') await reportClone(deps, assertion, origin);
    if (assertion.kind !== 'right' || assertion.accountId !== account.id)
      return { counts: 'failed', outcome: { kind: 'wrong', shown: 'passkey' } };
    return { counts: 'succeeded', outcome: { kind: 'proved', account, use: assertion.use } };
  });
}

/** The result of a confirmation; `unproven`: the account is protected by more than its password. */
export type SessionConfirmation = { kind: 'confirmed' } | Exclude<OwnerProof, { kind: 'proved' }>;

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
 * Records a fresh proof of a session's owner, for dangerous actions, passkeys and authenticators. If there is a second
 * factor, a password is not enough: an attacker with the session and the password could add one.
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
