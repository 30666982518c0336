import { newInvitationToken, hashInvitationToken } from '@gatehouse/auth-core';
import {
  invitations,
  mailQuota,
  outbox,
  type Account,
  type ContentDefinition,
  type Executor,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { newEvent, newMailEvent, type MailKind } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import type { NoticeDeps, OriginFacts } from '../deps.ts';
import { countedAs, recipientOf, receivesMail, type MailRequester } from '../checks/mailing.ts';
import { isBlocked } from './revive-guest.ts';

/** Shared content, and who shares it: an account, or a static API token, which has no account. */
export interface Sharing {
  content: ContentDefinition;
  sharer: { id: string; account: Account | undefined };
}

/** When access ends. `null`: never; `undefined`: existing access keeps its end, and new access never ends. */
export type AccessEnd = Date | null | undefined;

/** How long a link is valid. */
export const LINK_SECONDS = 7 * 24 * 3600;

/**
 * Invites a waiting account by mail with a new link, which invalidates the earlier one. If no mail may be sent (the
 * account is disabled or permanently expired, or the address has reached its limit), an earlier link stays valid. A
 * first invitation is stored even then: it becomes access when the guest accepts another one. A given end of access
 * applies in any case.
 */
export async function invite(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  { content, sharer }: Sharing,
  options: { isFirst: boolean; accessExpiresAt: AccessEnd; origin: OriginFacts },
): Promise<void> {
  const { accessExpiresAt } = options;
  const mayMail = !isBlocked(account) && (await countMail(deps, tx, account, 'invitation'));
  if (!mayMail && !options.isFirst) {
    if (accessExpiresAt === undefined) return;
    const changed = { accountId: account.id, contentDefinitionId: content.id, accessExpiresAt };
    return invitations.changeAccessEnd(tx, changed);
  }
  const token = newInvitationToken();
  const eventId = newId();
  const invitedBy = sharer.account?.id;
  const { id, ...ends } = await invitations.replace(tx, {
    id: newId(),
    accountId: account.id,
    contentDefinitionId: content.id,
    tokenHash: hashInvitationToken(token),
    invitedBy,
    lifetimeSeconds: LINK_SECONDS,
    mailEventId: mayMail ? eventId : undefined,
    accessExpiresAt,
  });
  const invitation = { id, account, content, inviter: sharer.account, accessExpiresAt: ends.accessExpiresAt };
  const link = mayMail ? { token, expiresAt: ends.expiresAt } : undefined;
  await notifyOfInvitation(deps, tx, invitation, link, { ...options.origin, id: eventId });
}

/** Publishes an invitation as the event with `origin.id`; also by mail if there is a link to mail. */
export async function notifyOfInvitation(
  deps: NoticeDeps,
  tx: Transaction,
  invitation: {
    id: string;
    account: KeyedAccount;
    content: ContentDefinition;
    inviter: Account | undefined;
    accessExpiresAt: Date | null;
  },
  link: { token: string; expiresAt: Date } | undefined,
  origin: OriginFacts & { id: string },
): Promise<void> {
  const { id, account, content, inviter, accessExpiresAt } = invitation;
  const eventData = {
    UserId: account.id,
    ContentDefinitionId: content.id,
    InvitationId: id,
    ...(inviter !== undefined && { InvitedBy: inviter.id }),
    ...endOf(accessExpiresAt),
  };
  if (link === undefined) return outbox.add(tx, [newEvent('guest.invited', eventData, origin)]);
  const inviterName = inviter?.displayName ?? undefined;
  const mail = {
    ...recipientOf(account),
    ContentName: content.name,
    InvitationToken: link.token,
    InvitationExpiresAt: link.expiresAt.toISOString(),
    ...endOf(accessExpiresAt),
    ...(inviterName !== undefined && { InviterName: inviterName }),
  };
  await outbox.add(tx, [newMailEvent(deps.seal, 'guest.invited', eventData, mail, origin)]);
}

/** Publishes that access was given or removed; also by mail, unless the account cannot be used anyway. */
export async function notifyOfAccess(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  type: 'guest.access-granted' | 'guest.removed',
  {
    content,
    sharer,
    origin,
    mails,
    accessExpiresAt,
  }: Sharing & { origin: OriginFacts; mails: boolean; accessExpiresAt?: AccessEnd },
): Promise<void> {
  const by = sharer.account && { [type === 'guest.removed' ? 'RemovedBy' : 'GrantedBy']: sharer.account.id };
  const eventData = {
    UserId: account.id,
    ContentDefinitionId: content.id,
    ...by,
    ...endOf(accessExpiresAt),
  };
  const kind = type === 'guest.removed' ? 'access-removed' : 'access-granted';
  const mayMail =
    mails && !account.isDisabled && !account.isExpired && (await countMail(deps, tx, account, kind));
  const about = { ContentName: content.name, ContentDefinitionId: content.id, ...endOf(accessExpiresAt) };
  const mail = { ...recipientOf(account), ...about };
  await outbox.add(tx, [
    mayMail
      ? newMailEvent<typeof type>(deps.seal, type, eventData, mail, origin)
      : newEvent<typeof type>(type, eventData, origin),
  ]);
}

function endOf(accessExpiresAt: AccessEnd): { AccessExpiresAt?: string } {
  return accessExpiresAt ? { AccessExpiresAt: accessExpiresAt.toISOString() } : {};
}

/**
 * Counts a mail about content; `false` if the address has reached its hourly limit. Counted by address, because an
 * account that is removed and created again must not start a new count.
 */
export async function countMail(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  kind: MailKind,
  share: MailRequester = 'own',
): Promise<boolean> {
  if (!receivesMail(account, share)) return false;
  const { MAILS_PER_HOUR } = deps.settings;
  return mailQuota.takeForAddress(tx, account.emailKey, countedAs(kind, share), MAILS_PER_HOUR);
}

/** How many more mails `countMail` would count now. */
export async function mailsLeft(
  deps: NoticeDeps,
  executor: Executor,
  account: KeyedAccount,
  kind: MailKind,
  share: MailRequester,
): Promise<number> {
  if (!receivesMail(account, share)) return 0;
  const { MAILS_PER_HOUR } = deps.settings;
  return mailQuota.leftForAddress(executor, account.emailKey, countedAs(kind, share), MAILS_PER_HOUR);
}
