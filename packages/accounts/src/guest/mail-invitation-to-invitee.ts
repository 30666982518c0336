import { LoginStatus } from '@gatehouse/schema';
import { audit, invitations, type KeyedAccount, type Transaction } from '@gatehouse/db';
import type { NoticeDeps, Origin } from '../deps.ts';
import { conditionOf } from '../checks/login-status.ts';
import { remailInvitation } from './remail-invitation.ts';

/**
 * How long after an invitation its guest may have the link mailed again, even if it has expired. After that, the
 * inviter has to confirm the invitation by sending it again.
 */
const INVITED_DAYS_MAX = 30;

/**
 * Mails a pending guest the link of the newest invitation again. The request may come from the owner of the mailbox or
 * from a stranger, so it changes nothing except the link. Accounts other than pending guests are not changed. The
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
