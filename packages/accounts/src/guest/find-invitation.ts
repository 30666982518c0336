import { hashInvitationToken } from '@gatehouse/auth-core';
import { findShownInvitation, type ShownInvitation } from '@gatehouse/db';
import { withThrottle, type CheckResult, type Throttled } from '../checks/attempts.ts';
import type { ThrottleDeps } from '../deps.ts';

/** The result for a token: `unknown` if no link has it any more. */
export type FoundInvitation =
  { kind: 'found'; invitation: ShownInvitation } | { kind: 'unknown' } | Throttled;

/** Finds what a mailed link is about, and changes nothing. Unknown tokens count as failures of the client's address. */
export async function findInvitation(
  deps: ThrottleDeps,
  { token, addressGroup }: { token: string; addressGroup: string },
): Promise<FoundInvitation> {
  const find = async (): Promise<CheckResult<FoundInvitation>> => {
    const invitation = await findShownInvitation(deps.db, hashInvitationToken(token));
    return invitation === undefined
      ? { counts: 'failed', outcome: { kind: 'unknown' } }
      : { counts: 'succeeded', outcome: { kind: 'found', invitation } };
  };
  return (await withThrottle(deps, { by: 'address', addressGroup }, find)).outcome;
}
