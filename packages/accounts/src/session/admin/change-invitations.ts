import { SessionStatus } from '@gatehouse/schema';
import { deletedInvitations, type KeyedAccount } from '@gatehouse/db';
import type { Reading } from '../../bulk-change.ts';
import type { NoticeDeps } from '../../deps.ts';
import { deleteInvitations, planRemails, remailInvitations } from '../../guest/invitation-changes.ts';
import { LINK_SECONDS } from '../../guest/guest-mails.ts';
import type { Refused, SessionChange, SessionPlan } from './session-change.ts';

/** More invitations than any guest has at a time. */
const RESTORED_MAX = 200;

/** Plans to delete every pending invitation of a guest; the guest is then without content. */
export async function planDeletion(
  deps: NoticeDeps,
  { executor }: Reading,
  account: KeyedAccount,
  change: SessionChange,
): Promise<SessionPlan> {
  const pending = await deletedInvitations.findDeletable(executor, account.id);
  return {
    kind: 'planned',
    ...{ sessions: [], isRevival: false },
    invitations: pending.map((one) => ({ ...one, status: SessionStatus.DeletedInvite })),
    carryOut: (tx) => deleteInvitations(deps, tx, pending, [account], change),
  };
}

/**
 * Plans to restore the deleted invitations of a guest, and to mail each again. If the inviter may no longer invite, the
 * invitation stays deleted, because its link would not work.
 */
export async function planRestoration(
  deps: NoticeDeps,
  at: Reading,
  account: KeyedAccount,
  change: SessionChange,
): Promise<SessionPlan | Refused> {
  if (account.signup !== 'invitation') return { kind: 'not_invited' };
  const bounds = { lifetimeSeconds: LINK_SECONDS, max: RESTORED_MAX };
  const found = await deletedInvitations.findRestorable(at.executor, account.id, bounds);
  const remails = await planRemails(deps, at, found, [account]);
  const refusals = remails.map(({ refusal }) => refusal);
  if (refusals.includes('share_used_up')) return { kind: 'share_used_up' };
  if (refusals.includes('shut')) return { kind: 'account_closed' };
  if (refusals.includes('not_waiting')) return { kind: 'not_invited' };
  const restored = remails.filter(({ refusal }) => refusal === undefined);
  if (found.length > 0 && restored.length === 0) return { kind: 'inviter_gone' };
  return {
    kind: 'planned',
    ...{ sessions: [], isRevival: false },
    invitations: restored.map(({ invitation }) => ({ ...invitation, status: SessionStatus.PendingInvite })),
    carryOut: (tx) => remailInvitations(deps, tx, remails, 'invitation.restored', change),
  };
}
