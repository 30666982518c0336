import {
  audit,
  guestAccounts,
  inTransaction,
  invitationAdmin,
  outbox,
  type Actor,
  type InvitationFilter,
  type KeyedAccount,
  type PendingInvitation,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import type { AccountsDeps, Origin } from '../deps.ts';
import { remailInvitation } from './remail-invitation.ts';
import { UNPROVEN_MAX } from '../unproven-max.ts';
import { publishRetired, retireGuests } from './remove-access.ts';

/** The bulk changes of pending invitations, and the maximum for each, so that it finishes within a request's time. */
export const BULK_MAX = { delete: 5000, resend: 100 } as const;

interface BulkChange {
  filter: InvitationFilter;
  change: keyof typeof BULK_MAX;
  /** Makes all changes, reports them, and rolls them back. */
  isTrial: boolean;
  /** Whether the administrator lacks a fresh proof of identity; then the result is `unproven` for many invitations. */
  isUnproven?: boolean;
  actor: Actor;
}

/** How many were changed, and how many were skipped because their link would not work or may not be mailed now. */
export type BulkChanged =
  { kind: 'changed'; count: number; skipped: number } | { kind: 'too_many' } | { kind: 'unproven' };

/** Deletes all matching pending invitations, or mails each again, in one transaction. */
export async function bulkChangeInvitations(
  deps: AccountsDeps,
  bulk: BulkChange,
  origin: Origin,
): Promise<BulkChanged> {
  const max = BULK_MAX[bulk.change];
  const done = await inTransaction<Done | 'too_many' | 'unproven'>(deps.db, origin, async (tx, rollBack) => {
    const found = await invitationAdmin.findNewestPending(tx, bulk.filter, max + 1);
    if (found.length > max) return 'too_many';
    const accounts = await guestAccounts.lockMany(
      tx,
      found.map(({ accountId }) => accountId),
    );
    // Read while their accounts are locked, as everyone locks them who accepts, renews or deletes invitations.
    const pending = await invitationAdmin.findPendingByIds(
      tx,
      found.map(({ id }) => id),
    );
    const locked = new Map(accounts.map((account) => [account.id, account]));
    const changed = await CHANGES[bulk.change](deps, tx, { pending, locked }, bulk.actor, origin);
    const skipped = pending.length - changed.count;
    if (!bulk.isTrial && bulk.isUnproven === true && changed.count > UNPROVEN_MAX)
      return rollBack('unproven');
    return bulk.isTrial ? rollBack({ ...changed, skipped, touched: [] }) : { ...changed, skipped };
  });
  if (done === 'too_many' || done === 'unproven') return { kind: done };
  if (!bulk.isTrial) await publishRetired(deps, done.touched);
  return { kind: 'changed', count: done.count, skipped: done.skipped };
}

interface Done {
  count: number;
  skipped: number;
  /** Sessions whose cached copies must be written after the commit. */
  touched: string[];
}

interface LockedInvitations {
  pending: readonly PendingInvitation[];
  locked: ReadonlyMap<string, KeyedAccount>;
}

type Change = (
  deps: AccountsDeps,
  tx: Transaction,
  rows: LockedInvitations,
  actor: Actor,
  origin: Origin,
) => Promise<{ count: number; touched: string[] }>;

const CHANGES: Record<keyof typeof BULK_MAX, Change> = { delete: deleteAll, resend: resendAll };

async function deleteAll(
  deps: AccountsDeps,
  tx: Transaction,
  { pending, locked }: LockedInvitations,
  actor: Actor,
  origin: Origin,
): Promise<{ count: number; touched: string[] }> {
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  await invitationAdmin.deletePendingByIds(
    tx,
    pending.map(({ id }) => id),
  );
  const events = pending.map(({ accountId, contentDefinitionId }) =>
    newEvent(
      'guest.removed',
      {
        UserId: accountId,
        ContentDefinitionId: contentDefinitionId,
        ...(changedBy !== undefined && { RemovedBy: changedBy }),
      },
      origin,
    ),
  );
  await outbox.add(tx, events);
  await record(tx, 'invitation.deleted', pending, actor, origin);
  const concerned = [...new Set(pending.map(({ accountId }) => accountId))];
  const accounts = concerned.flatMap((id) => locked.get(id) ?? []);
  return { count: pending.length, touched: await retireGuests(deps, tx, accounts, changedBy, origin) };
}

async function resendAll(
  deps: AccountsDeps,
  tx: Transaction,
  { pending, locked }: LockedInvitations,
  actor: Actor,
  origin: Origin,
): Promise<{ count: number; touched: string[] }> {
  const guests = new Map(locked);
  const resent: PendingInvitation[] = [];
  const touched: string[] = [];
  for (const invitation of pending) {
    const account = guests.get(invitation.accountId);
    if (account === undefined) continue;
    const outcome = await remailInvitation(deps, tx, { ...invitation, account }, actor, origin);
    if (outcome.kind === 'refused') continue;
    resent.push(invitation);
    touched.push(...outcome.changedSessionIds);
    // The first invitation lets an expired guest start over; this must not be repeated for the others.
    guests.set(account.id, { ...account, isExpired: false, isWithoutContent: false });
  }
  await record(tx, 'invitation.resent', resent, actor, origin);
  return { count: resent.length, touched };
}

async function record(
  tx: Transaction,
  action: 'invitation.deleted' | 'invitation.resent',
  invitations: readonly PendingInvitation[],
  actor: Actor,
  origin: Origin,
): Promise<void> {
  const entries = invitations.map(({ id, accountId, contentDefinitionId }) => ({
    action,
    actor,
    target: { kind: 'Invitation' as const, id },
    details: { UserId: accountId, ContentDefinitionId: contentDefinitionId },
  }));
  await audit.append(tx, entries, origin);
}
