import { accounts } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../deps.ts';
import { withThrottle, type CheckResult, type Throttled } from '../login/attempts.ts';
import { openSession, type OnSessionOpen, type Opening } from '../session/sessions.ts';
import { checkAssertion, reportClone, type ShownAssertion } from './check-assertion.ts';

/** How a login with a passkey ended. */
export type PasskeyLogin =
  | (Exclude<Opening, { kind: 'stale' }> & { accountId: string })
  | { kind: 'failed'; isUnknownPasskey: boolean }
  | Throttled;

type LoginOrigin = Origin & { deviceName?: string | undefined; onOpen?: OnSessionOpen | undefined };

/**
 * Logs in the owner of a passkey, which is password and second factor in one. Failures count for the client address
 * alone: signatures cannot be guessed, and an attacker must not be able to lock out an owner.
 */
export async function loginWithPasskey(
  deps: LoginDeps,
  { addressGroup, ...shown }: ShownAssertion & { addressGroup: string },
  origin: LoginOrigin,
): Promise<PasskeyLogin> {
  const counted = { by: 'address', addressGroup } as const;
  return (await withThrottle(deps, counted, () => takeSignature(deps, shown, origin))).outcome;
}

async function takeSignature(
  deps: LoginDeps,
  shown: ShownAssertion,
  origin: LoginOrigin,
): Promise<CheckResult<PasskeyLogin>> {
  const checked = await checkAssertion(deps, 'login', shown);
  if (checked.kind === 'failed') return { counts: 'failed', outcome: checked };
  if (checked.kind === 'cloned') {
    await reportClone(deps, checked, origin);
    return FAILED;
  }
  const { accountId, use } = checked;
  const account = await accounts.findById(deps.db, accountId);
  // Whose passkey it is, is a person: one who had the account before it became a program's is not let in to it.
  if (account === undefined || account.isService) return FAILED;
  const by = { ...origin, isByPasskey: true };
  const opening = await openSession(deps, account, by, use, origin.onOpen);
  if (opening.kind !== 'stale') return { counts: 'succeeded', outcome: { ...opening, accountId } };
  // Another login came between: with the same signature, or with another copy of the passkey.
  const again = await checkAssertion(deps, 'login', shown);
  if (again.kind === 'cloned') await reportClone(deps, again, origin);
  return FAILED;
}

const FAILED: CheckResult<PasskeyLogin> = {
  counts: 'failed',
  outcome: { kind: 'failed', isUnknownPasskey: false },
};
