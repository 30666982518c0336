import {
  audit,
  guestAccounts,
  inTransaction,
  invitationAdmin,
  outbox,
  type Actor,
  type KeyedAccount,
  type PendingInvitation,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import type { AccountsDeps, Origin } from '../deps.ts';
import { mailInvitationAnew, type RemailRefusal } from '../mail/mail-invitation-anew.ts';
import { publishRetired, retireGuests } from './remove-access.ts';

/**
 * Deletes a pending invitation: its link is void, and a guest with nothing left is expired or removed. `false`
 * when none of that id is pending, as its guest was faster, for one.
 */
export async function deleteInvitation(
  deps: AccountsDeps,
  id: string,
  actor: Actor,
  origin: Origin,
): Promise<boolean> {
  const touched = await inTransaction(deps.db, origin, async (tx) => {
    const pending = await lockPending(tx, id);
    if (pending === undefined || !(await invitationAdmin.deletePendingById(tx, id))) return undefined;
    const { account, invitation } = pending;
    const changedBy = actor.kind === 'Account' ? actor.id : undefined;
    const told = {
      UserId: account.id,
      ContentDefinitionId: invitation.contentDefinitionId,
      ...(changedBy !== undefined && { RemovedBy: changedBy }),
    };
    await outbox.add(tx, [newEvent('guest.removed', told, origin)]);
    await audit.append(tx, [{ action: 'invitation.deleted', actor, ...recordOf(invitation) }], origin);
    return retireGuests(deps, tx, [account], changedBy, origin);
  });
  if (touched === undefined) return false;
  await publishRetired(deps, touched);
  return true;
}

/** A refusal is to be rolled back; else the sessions are to be published after the commit. */
export type ResendResult =
  { invitation: PendingInvitation; changedSessionIds: string[] } | { refused: RemailRefusal };

/** Mails a pending invitation anew, expired or not (`mailInvitationAnew`); `gone` when none is pending. */
export async function resendInvitation(
  deps: AccountsDeps,
  tx: Transaction,
  id: string,
  actor: Actor,
  origin: Origin,
): Promise<ResendResult> {
  const pending = await lockPending(tx, id);
  if (pending === undefined) return { refused: 'gone' };
  const { account, invitation } = pending;
  const outcome = await mailInvitationAnew(deps, tx, { ...invitation, account }, actor, origin);
  if ('refused' in outcome) return outcome;
  await audit.append(tx, [{ action: 'invitation.resent', actor, ...recordOf(invitation) }], origin);
  const { expiresAt, changedSessionIds } = outcome;
  return { invitation: { ...invitation, expiresAt, mailStatus: 'Pending' }, changedSessionIds };
}

/** Reads it a second time under the lock of its account, which everybody takes who accepts, renews or deletes it. */
async function lockPending(
  tx: Transaction,
  id: string,
): Promise<{ account: KeyedAccount; invitation: PendingInvitation } | undefined> {
  const seen = await invitationAdmin.findPendingById(tx, id);
  if (seen === undefined) return undefined;
  const [account] = await guestAccounts.lockMany(tx, { ids: [seen.accountId] });
  const invitation = await invitationAdmin.findPendingById(tx, id);
  return account && invitation && { account, invitation };
}

function recordOf({ id, accountId, contentDefinitionId }: PendingInvitation) {
  return {
    target: { kind: 'Invitation', id },
    details: { UserId: accountId, ContentDefinitionId: contentDefinitionId },
  } as const;
}
