import { accounts } from '@gatehouse/db';
import type { LoginDeps } from '../deps.ts';
import { withAddressThrottle, type CheckResult, type Throttled } from '../checks/attempts.ts';
import { openSession, type LoginOrigin, type Opening } from '../session/open-and-end.ts';
import { withOwner, type Attempted } from '../checks/credentials.ts';
import { checkAssertion, reportClone, type PresentedAssertion } from './check-assertion.ts';

export type PasskeyLogin =
  | (Exclude<Opening, { kind: 'stale' }> & { accountId: string })
  | ({ kind: 'failed'; isUnknownPasskey: boolean } & Attempted)
  | Throttled;

/**
 * Logs in the owner of a passkey, which is both password and second factor. Failures are counted only for the client
 * address: signatures cannot be guessed, and an attacker must not be able to lock out an owner.
 */
export async function loginWithPasskey(
  deps: LoginDeps,
  { addressGroup, ...presented }: PresentedAssertion & { addressGroup: string },
  origin: LoginOrigin,
): Promise<PasskeyLogin> {
  return withAddressThrottle(deps, { addressGroup }, () => takeSignature(deps, presented, origin));
}

async function takeSignature(
  deps: LoginDeps,
  presented: PresentedAssertion,
  origin: LoginOrigin,
): Promise<CheckResult<PasskeyLogin>> {
  const checked = await checkAssertion(deps, 'login', presented, origin);
  if (checked.kind === 'failed') return { counts: 'failed', outcome: checked };
  if (checked.kind === 'cloned') {
    await reportClone(deps, checked, origin);
    return withOwner(FAILED, checked.passkey.accountId);
  }
  const { accountId, passkeyId, use } = checked;
  const account = await accounts.findById(deps.db, accountId);
  // A passkey belongs to a person: somebody who had the account before it became a service account must not get in.
  if (account === undefined || account.isService) return withOwner(FAILED, accountId);
  const by = { ...origin, authentication: { by: ['passkey'], ageSeconds: 0, passkeyId } } as const;
  const opening = await openSession(deps, account, by, use, origin.onOpen);
  if (opening.kind !== 'stale') return { counts: 'succeeded', outcome: { ...opening, accountId } };
  // Another login was faster: with the same signature, or with a copy of the passkey.
  const repeated = await checkAssertion(deps, 'login', presented, origin);
  if (repeated.kind === 'cloned') await reportClone(deps, repeated, origin);
  return withOwner(FAILED, accountId);
}

const FAILED: CheckResult<PasskeyLogin> = {
  counts: 'failed',
  outcome: { kind: 'failed', isUnknownPasskey: false },
};
