import { SessionStatus } from '@gatehouse/schema';
import {
  audit,
  deletedInvitations,
  outbox,
  type Actor,
  type AuditAction,
  type DeletedInvitation,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import type { NoticeDeps, Origin } from '../../deps.ts';
import { remailInvitation } from '../../guest/remail-invitation.ts';
import { retireGuests } from '../../guest/remove-access.ts';
import type { Done, Refused, SessionChange } from './session-change.ts';

/** More invitations than any guest has at a time. */
const RESTORED_MAX = 200;

/** Deletes every pending invitation of a guest who is locked; the guest is then without content. */
export async function deleteInvitationsOf(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  { by }: SessionChange,
  origin: Origin,
): Promise<Done> {
  const deleted = await deletedInvitations.deletePendingOf(tx, account.id);
  const changedBy = by.kind === 'Account' ? by.id : undefined;
  const eventData = { UserId: account.id, ...(changedBy !== undefined && { RemovedBy: changedBy }) };
  await outbox.add(
    tx,
    deleted.map(({ contentDefinitionId }) =>
      newEvent('guest.removed', { ...eventData, ContentDefinitionId: contentDefinitionId }, origin),
    ),
  );
  await record(tx, 'invitation.deleted', deleted, by, origin);
  const touchedIds = deleted.length === 0 ? [] : await retireGuests(deps, tx, [account], changedBy, origin);
  const status = SessionStatus.DeletedInvite;
  return {
    kind: 'done',
    sessionIds: [],
    touchedIds,
    invitations: deleted.map((one) => ({ ...one, status })),
  };
}

/**
 * Restores the deleted invitations of a guest who is locked, and mails each again. If the inviter may no longer invite,
 * the invitation stays deleted, because its link would not work.
 */
export async function restoreInvitationsOf(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  { by }: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  if (account.signup !== 'invitation') return { kind: 'refused', reason: 'not_invited' };
  const found = await deletedInvitations.findRestorable(tx, account.id, RESTORED_MAX);
  const restored: DeletedInvitation[] = [];
  const touchedIds: string[] = [];
  let guest = account;
  for (const invitation of found) {
    const outcome = await remailInvitation(deps, tx, { ...invitation, account: guest }, by, origin);
    if (outcome.kind === 'refused') {
      if (outcome.reason === 'share_used_up') return { kind: 'refused', reason: 'share_used_up' };
      if (outcome.reason === 'shut') return { kind: 'refused', reason: 'account_closed' };
      if (outcome.reason === 'not_waiting') return { kind: 'refused', reason: 'not_invited' };
      continue;
    }
    restored.push({ ...invitation, expiresAt: outcome.expiresAt, deletedAt: null });
    touchedIds.push(...outcome.changedSessionIds);
    // The first invitation lets an expired guest start over; this must not be repeated for the others.
    guest = { ...guest, isExpired: false, isWithoutContent: false };
  }
  if (found.length > 0 && restored.length === 0) return { kind: 'refused', reason: 'inviter_gone' };
  await record(tx, 'invitation.restored', restored, by, origin);
  const status = SessionStatus.PendingInvite;
  return {
    kind: 'done',
    sessionIds: [],
    touchedIds,
    invitations: restored.map((one) => ({ ...one, status })),
  };
}

async function record(
  tx: Transaction,
  action: AuditAction,
  changed: readonly DeletedInvitation[],
  actor: Actor,
  origin: Origin,
): Promise<void> {
  await audit.append(
    tx,
    changed.map(({ id, accountId, contentDefinitionId }) => ({
      action,
      actor,
      target: { kind: 'Invitation', id },
      details: { UserId: accountId, ContentDefinitionId: contentDefinitionId },
    })),
    origin,
  );
}
