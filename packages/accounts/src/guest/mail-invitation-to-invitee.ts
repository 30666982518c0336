import { LoginStatus } from '@gatehouse/schema';
import { audit, invitations, type KeyedAccount, type Transaction } from '@gatehouse/db';
import type { NoticeDeps, Origin } from '../deps.ts';
import { conditionOf } from '../login/login-status.ts';
import { remailInvitation } from '../mail/remail-invitation.ts';

/**
 * For so long after somebody was invited they may have the link mailed again, also one that has expired. Later it is for
 * the inviter to say whether the invitation still holds.
 */
const INVITED_DAYS_MAX = 30;

/**
 * Mails a pending guest the link of the newest invitation again. The request may come from the owner of the mailbox
 * or from a stranger, so it changes nothing but the link. An account that is not a pending guest is left alone. The
 * account must be locked by this transaction.
 */
export async function mailInvitationToInvitee(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  origin: Origin,
): Promise<void> {
  if (conditionOf(account) !== LoginStatus.IsPendingInvitation) return;
  const invitation = await invitations.findNewestOpen(tx, account.id, INVITED_DAYS_MAX);
  if (invitation === undefined) return;
  const system = { kind: 'System' } as const;
  const outcome = await remailInvitation(deps, tx, { ...invitation, account }, system, origin, 'invitee');
  if (outcome.kind === 'refused') return;
  const { id, contentDefinitionId } = invitation;
  const details = { UserId: account.id, ContentDefinitionId: contentDefinitionId };
  const target = { kind: 'Invitation', id } as const;
  await audit.append(tx, [{ action: 'invitation.resent', actor: system, target, details }], origin);
}
