import {
  guestAccounts,
  inTransaction,
  invitationAdmin,
  type Actor,
  type KeyedAccount,
  type PendingInvitation,
  type Transaction,
} from '@gatehouse/db';
import type { GuestDeps, NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import { remailInvitation, type RemailRefusal, type RemailResult } from './remail-invitation.ts';
import { publishSessions } from '../session/sessions.ts';
import { deleteInvitations, recordInvitations } from './invitation-changes.ts';
import { publishRetired } from './remove-access.ts';

/**
 * Deletes a pending invitation: its link becomes invalid, and a guest with no content left is expired or removed.
 * `false` if no invitation with that id is pending, for example because the guest has just accepted it.
 */
export async function deleteInvitation(
  deps: GuestDeps,
  id: string,
  actor: Actor,
  origin: Origin,
): Promise<boolean> {
  const touched = await inTransaction(deps.db, origin, async (tx) => {
    const pending = await lockPending(tx, id);
    if (pending === undefined) return undefined;
    return deleteInvitations(deps, tx, [pending.invitation], [pending.account], { actor, origin });
  });
  if (touched === undefined) return false;
  await publishRetired(deps, touched);
  return true;
}

/** The result of mailing another link. */
export type ResendResult =
  { kind: 'resent'; invitation: PendingInvitation } | { kind: 'refused'; reason: RemailRefusal };

/** Mails a pending invitation again, expired or not (`remailInvitation`); `gone` if it is not pending. */
export async function resendInvitation(
  deps: NoticeDeps & SessionDeps,
  id: string,
  actor: Actor,
  origin: Origin,
): Promise<ResendResult> {
  const outcome = await inTransaction<Remailed>(deps.db, origin, async (tx, rollBack) => {
    const pending = await lockPending(tx, id);
    if (pending === undefined) return rollBack({ kind: 'refused', reason: 'gone' });
    const { account, invitation } = pending;
    const mailed = await remailInvitation(deps, tx, { ...invitation, account }, actor, origin);
    if (mailed.kind === 'refused') return rollBack(mailed);
    await recordInvitations(tx, 'invitation.resent', [invitation], { actor, origin });
    return { ...mailed, invitation };
  });
  if (outcome.kind === 'refused') return outcome;
  const { invitation, expiresAt, changedSessionIds } = outcome;
  await publishSessions(deps, changedSessionIds);
  return { kind: 'resent', invitation: { ...invitation, expiresAt, mailStatus: 'Pending' } };
}

type Remailed =
  | (Extract<RemailResult, { kind: 'mailed' }> & { invitation: PendingInvitation })
  | Extract<RemailResult, { kind: 'refused' }>;

/**
 * Reads the invitation again after locking its account, as everyone does who accepts, renews or deletes invitations.
 */
async function lockPending(
  tx: Transaction,
  id: string,
): Promise<{ account: KeyedAccount; invitation: PendingInvitation } | undefined> {
  const [seen] = await invitationAdmin.findPendingByIds(tx, [id]);
  if (seen === undefined) return undefined;
  const [account] = await guestAccounts.lockMany(tx, [seen.accountId]);
  const [invitation] = await invitationAdmin.findPendingByIds(tx, [id]);
  return account && invitation && { account, invitation };
}
