import { accounts, type Account, type Transaction } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../deps.ts';
import { withAddressThrottle, type Throttled } from '../checks/attempts.ts';
import { checkOwnPassword } from '../checks/credentials.ts';
import { usesSecondFactor } from '../checks/login-status.ts';
import { provesFreshly, type PresentedSession } from '../session/confirmation/proves-freshly.ts';
import { countedForOwner, findProof, type Proof } from '../two-factor/second-factor.ts';
import { checkAssertion, reportClone, type PresentedAssertion } from './check-assertion.ts';

/**
 * The caller, and the proof they give in addition to their session: one of the three, or none shortly after the last
 * proof.
 */
export interface OwnerProofInput extends PresentedSession {
  accountId: string;
  addressGroup: string;
  password?: string | undefined;
  code?: string | undefined;
  passkey?: PresentedAssertion | undefined;
}

/**
 * Whether the caller is the owner. `use` uses up the proof, and returns `false` if another request used it first.
 * `unproven`: a proof is required; a password is not enough if a second factor protects the account.
 */
export type OwnerProof =
  | { kind: 'proved'; account: Account; use: (tx: Transaction) => Promise<boolean> }
  | { kind: 'wrong'; shown: 'password' | 'code' | 'passkey' }
  | { kind: 'unproven' }
  | Throttled;

/**
 * Checks the caller's identity for actions for which a stolen session must not be enough: with a passkey of their own,
 * an attacker would have permanent access to the account, without another second factor.
 */
export async function proveOwner(
  deps: LoginDeps,
  shows: OwnerProofInput,
  origin: Origin,
): Promise<OwnerProof> {
  const account = await accounts.findById(deps.db, shows.accountId);
  if (account === undefined) return { kind: 'unproven' };
  if (shows.passkey !== undefined) return byPasskey(deps, account, shows.passkey, shows, origin);
  if (shows.code !== undefined) return byCode(deps, account, shows.code, shows);
  const isFresh = () => provesFreshly(deps.db, shows, account);
  if (shows.password !== undefined) {
    const { accountId, password, addressGroup } = shows;
    const checked = await checkOwnPassword(deps, { accountId, password, addressGroup });
    if (checked.kind === 'throttled') return checked;
    if (checked.kind === 'failed') return wrong('password');
    return !usesSecondFactor(account) || (await isFresh()) ? proved(account) : { kind: 'unproven' };
  }
  return (await isFresh()) ? proved(account) : { kind: 'unproven' };
}

function proved(account: Account): OwnerProof {
  return { kind: 'proved', account, use: () => Promise.resolve(true) };
}

function wrong(shown: 'password' | 'code' | 'passkey'): OwnerProof {
  return { kind: 'wrong', shown };
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
  return checked.kind === 'right' ? { kind: 'proved', account, use: checked.proof.use } : wrong('code');
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
      return { counts: 'failed', outcome: wrong('passkey') };
    return { counts: 'succeeded', outcome: { kind: 'proved', account, use: assertion.use } };
  });
}
