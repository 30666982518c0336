import {
  audit,
  contentDefinitions,
  invitationAdmin,
  outbox,
  type AuditAction,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { Unavailable } from '@gatehouse/runtime';
import type { BulkOrder, Reading } from '../bulk-change.ts';
import type { AccountsDeps, NoticeDeps } from '../deps.ts';
import { findRemailable, remailInvitation, type RemailRefusal } from './remail-invitation.ts';
import { mailsLeft } from './guest-mails.ts';
import { retireGuests } from './remove-access.ts';

/** An invitation that an administrator deletes or mails again. */
export interface Administered {
  id: string;
  accountId: string;
  contentDefinitionId: string;
  /** Null if a static API token invited. */
  invitedBy: string | null;
}

type By = Pick<BulkOrder, 'actor' | 'origin'>;

/**
 * Deletes pending invitations of accounts that the transaction has locked: the links become invalid, and guests with no
 * content left are expired or removed. Returns the sessions to publish with `publishRetired`.
 */
export async function deleteInvitations(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  pending: readonly Administered[],
  accounts: readonly KeyedAccount[],
  by: By,
): Promise<string[]> {
  if (pending.length === 0) return [];
  const changedBy = by.actor.kind === 'Account' ? by.actor.id : undefined;
  await invitationAdmin.deletePendingByIds(
    tx,
    pending.map(({ id }) => id),
  );
  const removedBy = changedBy !== undefined && { RemovedBy: changedBy };
  const events = pending.map(({ accountId, contentDefinitionId }) =>
    newEvent(
      'guest.removed',
      { UserId: accountId, ContentDefinitionId: contentDefinitionId, ...removedBy },
      by.origin,
    ),
  );
  await outbox.add(tx, events);
  await recordInvitations(tx, 'invitation.deleted', pending, by);
  const concerned = new Set(pending.map(({ accountId }) => accountId));
  const guests = accounts.filter(({ id }) => concerned.has(id));
  return retireGuests(deps, tx, guests, changedBy, by.origin);
}

/** An invitation with the state in which its account is when the mails of earlier ones were sent. */
export interface Remail<I extends Administered> {
  invitation: I;
  account: KeyedAccount;
  /** Why it is not mailed. */
  refusal: RemailRefusal | undefined;
}

/**
 * What `remailInvitations` will do with these invitations, in this order. With locks, their content cannot be deleted
 * until then. The accounts must be locked, too.
 */
export async function planRemails<I extends Administered>(
  deps: NoticeDeps,
  { executor, tx }: Reading,
  invitations: readonly I[],
  accounts: readonly KeyedAccount[],
): Promise<Remail<I>[]> {
  const guests = new Map(accounts.map((account) => [account.id, account]));
  const left = new Map<string, number>();
  const remails: Remail<I>[] = [];
  for (const invitation of invitations) {
    const account = guests.get(invitation.accountId);
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
      guests.set(account.id, { ...account, isExpired: false, isWithoutContent: false });
  }
  return remails;
}

/** Mails the planned invitations again, in the same transaction. Returns the sessions to publish after the commit. */
export async function remailInvitations(
  deps: NoticeDeps,
  tx: Transaction,
  remails: readonly Remail<Administered>[],
  action: 'invitation.resent' | 'invitation.restored',
  by: By,
): Promise<string[]> {
  const touched: string[] = [];
  const mailed = remails.filter(({ refusal }) => refusal === undefined);
  for (const { invitation, account } of mailed) {
    const outcome = await remailInvitation(deps, tx, { ...invitation, account }, by.actor, by.origin);
    // An inviter was disabled since, whose account is not locked. The next call skips the invitation.
    if (outcome.kind === 'refused') throw new Unavailable('postgres');
    touched.push(...outcome.changedSessionIds);
  }
  const invitations = mailed.map(({ invitation }) => invitation);
  await recordInvitations(tx, action, invitations, by);
  return touched;
}

export async function recordInvitations(
  tx: Transaction,
  action: AuditAction,
  invitations: readonly Administered[],
  { actor, origin }: By,
): Promise<void> {
  const entries = invitations.map(({ id, accountId, contentDefinitionId }) => ({
    action,
    actor,
    target: { kind: 'Invitation' as const, id },
    details: { UserId: accountId, ContentDefinitionId: contentDefinitionId },
  }));
  await audit.append(tx, entries, origin);
}
