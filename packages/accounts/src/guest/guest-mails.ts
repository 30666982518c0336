import { mailQuota } from '@gatehouse/db';
import type { Account, ContentDefinition, Executor, KeyedAccount, Transaction } from '@gatehouse/db';
import { newEvent, newMailEvent, type MailKind } from '@gatehouse/events';
import type { NoticeDeps, OriginFacts } from '../deps.ts';
import { countedAs, recipientOf, receivesMail, type MailRequester } from '../checks/mailing.ts';
import type { WriteTransaction } from '../session/write.ts';
import type { AccessEnd, Sharing } from './sharing.ts';

export const LINK_SECONDS = 7 * 24 * 3600;

/** Publishes an invitation as the event with `origin.id`; also by mail if there is a link to mail. */
export function notifyOfInvitation(
  deps: NoticeDeps,
  tx: WriteTransaction,
  invitation: {
    id: string;
    account: KeyedAccount;
    content: ContentDefinition;
    inviter: Account | undefined;
    accessExpiresAt: Date | null;
  },
  link: { token: string; expiresAt: Date } | undefined,
  origin: OriginFacts & { id: string },
): void {
  const { id, account, content, inviter, accessExpiresAt } = invitation;
  const eventData = {
    UserId: account.id,
    ContentDefinitionId: content.id,
    InvitationId: id,
    ...(inviter !== undefined && { InvitedBy: inviter.id }),
    ...endOf(accessExpiresAt),
  };
  if (link === undefined) return tx.event(newEvent('guest.invited', eventData, origin));
  const inviterName = inviter?.displayName ?? undefined;
  const mail = {
    ...recipientOf(account),
    ContentName: content.name,
    InvitationToken: link.token,
    InvitationExpiresAt: link.expiresAt.toISOString(),
    ...endOf(accessExpiresAt),
    ...(inviterName !== undefined && { InviterName: inviterName }),
  };
  tx.event(newMailEvent(deps.seal, 'guest.invited', eventData, mail, origin));
}

/** Publishes that access was given or removed; also by mail, unless the account cannot be used anyway. */
export async function notifyOfAccess(
  deps: NoticeDeps,
  tx: WriteTransaction,
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
  const event = mayMail
    ? newMailEvent<typeof type>(deps.seal, type, eventData, mail, origin)
    : newEvent<typeof type>(type, eventData, origin);
  tx.event(event);
}

function endOf(accessExpiresAt: AccessEnd): { AccessExpiresAt?: string } {
  return accessExpiresAt ? { AccessExpiresAt: accessExpiresAt.toISOString() } : {};
}

/** Counts a mail about content; `false` beyond the hourly limit. By address: a new account starts no new count. */
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
