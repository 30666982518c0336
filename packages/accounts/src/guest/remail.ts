import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import {
  accountCodes,
  accounts,
  contentAccess,
  contentDefinitions,
  guestAccounts,
  invitations,
  loginThrottle,
  passkeys,
  recoveryCodes,
  twoFactor,
  userSessions,
} from '@gatehouse/db';
import type { Account, AuditAction, ContentDefinition, Executor, KeyedAccount } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { Unavailable } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { BulkOrder, Reading, WriteTransaction } from '../session/write.ts';
import { countOnCommit } from '../checks/count-on-commit.ts';
import type { MailRequester } from '../checks/mailing.ts';
import type { NoticeDeps, Origin } from '../deps.ts';
import { retireGuests } from './access.ts';
import { countMail, LINK_SECONDS, mailsLeft, notifyOfInvitation } from './guest-mails.ts';
import { accountUpdated } from '../account/admin/account-updated.ts';

/**
 * `shut`: disabled or expired by an administrator. `not_waiting`: the guest has registered. `inviter_gone`: the inviter
 * may not invite any more. `share_used_up`: the hourly limit. `gone`: no such content, invitation or access.
 */
export type RemailRefusal = 'shut' | 'not_waiting' | 'inviter_gone' | 'share_used_up' | 'gone';

/** If refused, roll the transaction back. */
type RemailResult = { kind: 'mailed'; expiresAt: Date } | { kind: 'refused'; reason: RemailRefusal };

type Remailed = { id: string; account: KeyedAccount; contentDefinitionId: string; invitedBy: string | null };

type By = Pick<BulkOrder, 'actor' | 'origin'>;

/**
 * Mails a new link of an invitation that was not accepted, which voids the earlier one; a deleted invitation is pending
 * again, and a guest expired without content starts over. The account must be locked. It counts towards the hourly
 * limit of an address (against floods), not the inviter's daily one.
 */
export async function remailInvitation(
  deps: NoticeDeps,
  tx: WriteTransaction,
  invitation: Remailed,
  { actor, origin }: By,
  share: Exclude<MailRequester, 'own'> = 'administrator',
): Promise<RemailResult> {
  const { id, account, contentDefinitionId } = invitation;
  // Content that is deleted from now on waits for this transaction.
  await contentDefinitions.lockAgainstDeletion(tx, contentDefinitionId);
  const found = await findRemailable(tx, invitation);
  if (found.kind === 'refused') return found;
  const { content, inviter } = found;
  if (!(await countMail(deps, tx, account, 'invitation', share)))
    return { kind: 'refused', reason: 'share_used_up' };

  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  if (isRevivable(account)) await reviveGuest(tx, account, { changedBy, origin });
  const token = newInvitationToken();
  const mailEventId = newId();
  const ends = await invitations.renewLink(tx, {
    id,
    tokenHash: hashInvitationToken(token),
    lifetimeSeconds: LINK_SECONDS,
    mailEventId,
  });
  if (ends === undefined) return { kind: 'refused', reason: 'gone' };
  countOnCommit(deps, tx, 'invitation.sent');
  const { expiresAt, accessExpiresAt } = ends;
  const recipient = { id, account, content, inviter, accessExpiresAt };
  notifyOfInvitation(deps, tx, recipient, { token, expiresAt }, { ...origin, id: mailEventId });
  return { kind: 'mailed', expiresAt };
}

/** What the mail of an invitation is about, or why none is sent, whatever the limit of its address. Only reads. */
async function findRemailable(
  executor: Executor,
  { id, account, contentDefinitionId, invitedBy }: Remailed,
): Promise<
  | { kind: 'remailable'; content: ContentDefinition; inviter: Account | undefined }
  | { kind: 'refused'; reason: RemailRefusal }
> {
  if (isBlocked(account)) return { kind: 'refused', reason: 'shut' };
  const holdsAny = await contentAccess.findHoldersOfAny(executor, [account.id]);
  if (!awaitsGuest(account, holdsAny.length > 0)) return { kind: 'refused', reason: 'not_waiting' };
  const inviter = invitedBy === null ? undefined : await accounts.findById(executor, invitedBy);
  if (invitedBy !== null && (inviter === undefined || inviter.isDisabled))
    return { kind: 'refused', reason: 'inviter_gone' };
  const content = await contentDefinitions.findById(executor, contentDefinitionId);
  if (content === undefined || !(await invitations.wouldGiveAccess(executor, id)))
    return { kind: 'refused', reason: 'gone' };
  return { kind: 'remailable', content, inviter };
}

export interface Administered {
  id: string;
  accountId: string;
  contentDefinitionId: string;
  /** Null if a static API token invited. */
  invitedBy: string | null;
}

/** Deletes pending invitations of locked accounts; guests without content are expired or removed (`writeRetiring`). */
export async function deleteInvitations(
  tx: WriteTransaction,
  pending: readonly Administered[],
  guests: readonly KeyedAccount[],
  by: By,
): Promise<void> {
  if (pending.length === 0) return;
  const changedBy = by.actor.kind === 'Account' ? by.actor.id : undefined;
  const ids = pending.map(({ id }) => id);
  await invitations.deletePendingByIds(tx, ids);
  const removedBy = changedBy !== undefined && { RemovedBy: changedBy };
  for (const { accountId: UserId, contentDefinitionId: ContentDefinitionId } of pending)
    tx.event(newEvent('guest.removed', { UserId, ContentDefinitionId, ...removedBy }, by.origin));
  recordInvitations(tx, 'invitation.deleted', pending);
  const concerned = new Set(pending.map(({ accountId }) => accountId));
  const retiring = guests.filter(({ id }) => concerned.has(id));
  await retireGuests(tx, retiring, changedBy, by.origin);
}

/** An invitation with the state in which its account is when the mails of earlier ones were sent. */
export interface Remail<I extends Administered> {
  invitation: I;
  account: KeyedAccount;
  refusal: RemailRefusal | undefined;
}

/** What `remailInvitations` will do, in order. With locks, content cannot be deleted until then. Lock accounts, too. */
export async function planRemails<I extends Administered>(
  deps: NoticeDeps,
  { executor, tx }: Pick<Reading, 'executor' | 'tx'>,
  planned: readonly I[],
  guests: readonly KeyedAccount[],
): Promise<Remail<I>[]> {
  const byId = new Map(guests.map((account) => [account.id, account]));
  const left = new Map<string, number>();
  const remails: Remail<I>[] = [];
  for (const invitation of planned) {
    const account = byId.get(invitation.accountId);
    if (account === undefined) continue;
    if (tx) await contentDefinitions.lockAgainstDeletion(tx, invitation.contentDefinitionId);
    const found = await findRemailable(executor, { ...invitation, account });
    let refusal = found.kind === 'refused' ? found.reason : undefined;
    const most =
      left.get(account.id) ?? (await mailsLeft(deps, executor, account, 'invitation', 'administrator'));
    if (refusal === undefined && most <= 0) refusal = 'share_used_up';
    left.set(account.id, refusal === undefined ? most - 1 : most);
    remails.push({ invitation, account, refusal });
    // The first invitation lets an expired guest start over; this must not be repeated for the others.
    if (refusal === undefined)
      byId.set(account.id, { ...account, isExpired: false, isWithoutContent: false });
  }
  return remails;
}

export async function remailInvitations(
  deps: NoticeDeps,
  tx: WriteTransaction,
  remails: readonly Remail<Administered>[],
  action: 'invitation.resent' | 'invitation.restored',
  by: By,
): Promise<void> {
  const mailed = remails.filter(({ refusal }) => refusal === undefined);
  for (const { invitation, account } of mailed) {
    const outcome = await remailInvitation(deps, tx, { ...invitation, account }, by);
    // An inviter was disabled since, whose account is not locked. The next call skips the invitation.
    if (outcome.kind === 'refused') throw new Unavailable('postgres');
  }
  const sent = mailed.map(({ invitation }) => invitation);
  recordInvitations(tx, action, sent);
}

export function recordInvitations(
  tx: WriteTransaction,
  action: AuditAction,
  about: readonly Pick<Administered, 'id' | 'accountId' | 'contentDefinitionId'>[],
): void {
  for (const { id, accountId, contentDefinitionId } of about) {
    const details = { UserId: accountId, ContentDefinitionId: contentDefinitionId };
    tx.audit(action, details, { kind: 'Invitation', id });
  }
}

/** A guest who expired without content starts over; one whom an administrator expired stays expired. */
export function awaitsGuest(account: Account, hasAnyAccess: boolean): boolean {
  return account.signup === 'invitation' || (isRevivable(account) && !hasAnyAccess);
}

/** Whether an invitation lets the guest start over without undoing a decision of an administrator. */
export function isRevivable({ role, isWithoutContent }: Account): boolean {
  return role === 'Guest' && isWithoutContent;
}

/** Whether a link would not work, and is therefore not mailed: the account is disabled, or permanently expired. */
export function isBlocked(account: Account): boolean {
  return account.isDisabled || (account.isExpired && !isRevivable(account));
}

/** Makes a revivable guest pending again: password, passkeys, second factor, codes and sessions become invalid. */
export async function reviveGuest(
  tx: WriteTransaction,
  account: KeyedAccount,
  by: { changedBy: string | undefined; origin: Origin },
): Promise<void> {
  const target = { kind: 'account', accountId: account.id } as const;
  await tx.endSessions(target, 'invited_anew', { changedBy: undefined });
  await guestAccounts.revive(tx, account.id);
  await accountCodes.deleteAll(tx, account.id);
  await passkeys.removeAll(tx, account.id);
  const hadTwoFactor = await twoFactor.remove(tx, account.id);
  await recoveryCodes.deleteUnneeded(tx, account.id);
  await loginThrottle.clear(tx, { kind: 'email', emailKey: account.emailKey });
  await loginThrottle.clear(tx, { kind: 'second-factor', accountId: account.id });
  for (const event of accountUpdated(account.id, ['ExpiresAt'], by)) tx.event(event);
  // Sends no mail: the invitation's mail informs the guest.
  if (hadTwoFactor) tx.event(newEvent('account.two-factor-disabled', { UserId: account.id }, by.origin));
  tx.changesSessions(await userSessions.renewCopies(tx, [account.id]));
}
