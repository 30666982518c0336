import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import {
  accounts,
  contentAccess,
  contentDefinitions,
  invitationAdmin,
  invitations,
  type Account,
  type Actor,
  type ContentDefinition,
  type Executor,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { countOnCommit } from '../checks/count-on-commit.ts';
import type { NoticeDeps, Origin } from '../deps.ts';
import { LINK_SECONDS, countMail, notifyOfInvitation } from './guest-mails.ts';
import type { MailRequester } from '../checks/mailing.ts';
import { isWaitingForGuest, isRevivable, isBlocked, reviveGuest } from './revive-guest.ts';

/**
 * Why no link is mailed: an administrator has disabled or expired the invited account; it no longer waits for its guest
 * (who has registered); the inviter may no longer invite, so that the link would not work; the address has reached its
 * hourly limit of invitations by administrators; or the content, the invitation or the access no longer exists.
 */
export type RemailRefusal = 'shut' | 'not_waiting' | 'inviter_gone' | 'share_used_up' | 'gone';

/** If refused, roll the transaction back; otherwise publish the changed sessions after the commit. */
export type RemailResult =
  | { kind: 'mailed'; expiresAt: Date; changedSessionIds: string[] }
  | { kind: 'refused'; reason: RemailRefusal };

/** The invitation to mail again. */
type Remailed = { id: string; account: KeyedAccount; contentDefinitionId: string; invitedBy: string | null };

/**
 * Mails the link of an invitation that was not accepted again. The earlier link becomes invalid and the new one is
 * valid for the full time; a deleted invitation becomes pending again, and a guest who expired without content starts
 * over. The account must be locked by this transaction. The mail counts towards the hourly limit of mails to one
 * address, which protects mailboxes from floods, but not towards the inviter's daily limit.
 */
export async function remailInvitation(
  deps: NoticeDeps,
  tx: Transaction,
  invitation: Remailed,
  actor: Actor,
  origin: Origin,
  share: Exclude<MailRequester, 'own'> = 'administrator',
): Promise<RemailResult> {
  const { id, account, contentDefinitionId } = invitation;
  // Content that is deleted from now on waits for this transaction.
  await contentDefinitions.lockAgainstDeletion(tx, contentDefinitionId);
  const found = await findRemailable(tx, invitation);
  if (found.kind === 'refused') return found;
  const { content, inviter } = found;
  if (!(await countMail(deps, tx, account, 'invitation', share))) {
    return { kind: 'refused', reason: 'share_used_up' };
  }

  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  const changedSessionIds = isRevivable(account)
    ? await reviveGuest(deps, tx, account, { changedBy, origin })
    : [];
  const token = newInvitationToken();
  const mailEventId = newId();
  const ends = await invitationAdmin.renewLink(tx, {
    id,
    tokenHash: hashInvitationToken(token),
    lifetimeSeconds: LINK_SECONDS,
    mailEventId,
  });
  if (ends === undefined) return { kind: 'refused', reason: 'gone' };
  countOnCommit(deps, tx, 'invitation.sent');
  const { expiresAt, accessExpiresAt } = ends;
  const recipient = { id, account, content, inviter, accessExpiresAt };
  await notifyOfInvitation(deps, tx, recipient, { token, expiresAt }, { ...origin, id: mailEventId });
  return { kind: 'mailed', expiresAt, changedSessionIds };
}

/** What the mail of an invitation is about, or why none is sent, whatever the limit of its address. Only reads. */
export async function findRemailable(
  executor: Executor,
  { id, account, contentDefinitionId, invitedBy }: Remailed,
): Promise<
  | { kind: 'remailable'; content: ContentDefinition; inviter: Account | undefined }
  | { kind: 'refused'; reason: RemailRefusal }
> {
  if (isBlocked(account)) return { kind: 'refused', reason: 'shut' };
  const holdsAny = await contentAccess.findHoldersOfAny(executor, [account.id]);
  if (!isWaitingForGuest(account, holdsAny.length > 0)) return { kind: 'refused', reason: 'not_waiting' };
  const inviter = invitedBy === null ? undefined : await accounts.findById(executor, invitedBy);
  if (invitedBy !== null && (inviter === undefined || inviter.isDisabled))
    return { kind: 'refused', reason: 'inviter_gone' };
  const content = await contentDefinitions.findById(executor, contentDefinitionId);
  if (content === undefined || !(await invitations.wouldGiveAccess(executor, id)))
    return { kind: 'refused', reason: 'gone' };
  return { kind: 'remailable', content, inviter };
}
