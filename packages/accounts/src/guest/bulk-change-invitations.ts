import { guestAccounts, invitationAdmin, type InvitationFilter, type KeyedAccount } from '@gatehouse/db';
import { changeInBulk, CHANGED_MAX, unproven, type BulkOrder } from '../bulk-change.ts';
import type { AccountsDeps } from '../deps.ts';
import { deleteInvitations, planRemails, remailInvitations, type Remail } from './invitation-changes.ts';
import { publishRetired } from './remove-access.ts';

/** The bulk changes of pending invitations, and the maximum for each, so that it finishes within a request's time. */
export const BULK_MAX = { delete: CHANGED_MAX, resend: 100 } as const;

/** How many were changed, and how many were skipped because their link would not work or may not be mailed now. */
export type BulkChanged = { kind: 'changed'; count: number; skipped: number } | Refusal;

type Refusal = { kind: 'too_many' } | { kind: 'unproven' };

/** Deletes all matching pending invitations, or mails each again, in one transaction. */
export async function bulkChangeInvitations(
  deps: AccountsDeps,
  { filter, change }: { filter: InvitationFilter; change: keyof typeof BULK_MAX },
  order: BulkOrder,
): Promise<BulkChanged> {
  const max = BULK_MAX[change];
  const outcome = await changeInBulk<Plan, Plan & { touched: string[] }, Refusal>(deps, order, {
    plan: async (at) => {
      const found = await invitationAdmin.findNewestPending(at.executor, filter, max + 1);
      if (found.length > max) return { kind: 'too_many' };
      const accountIds = found.map(({ accountId }) => accountId);
      const accounts = await guestAccounts.findMany(at.executor, accountIds, at);
      // Read while their accounts are locked, as everyone locks them who accepts, renews or deletes invitations.
      const pending = await invitationAdmin.findPendingByIds(
        at.executor,
        found.map(({ id }) => id),
      );
      const remails = change === 'resend' ? await planRemails(deps, at, pending, accounts) : [];
      const count = change === 'resend' ? remails.filter(({ refusal }) => !refusal).length : pending.length;
      return { kind: 'planned', pending, accounts, remails, count };
    },
    refuse: ({ count }) => unproven(order, count),
    carryOut: async (tx, plan) => {
      const touched =
        change === 'delete'
          ? await deleteInvitations(deps, tx, plan.pending, plan.accounts, order)
          : await remailInvitations(deps, tx, plan.remails, 'invitation.resent', order);
      return { ...plan, touched };
    },
  });
  if (outcome.kind !== 'planned') return outcome;
  if ('touched' in outcome) await publishRetired(deps, outcome.touched);
  return { kind: 'changed', count: outcome.count, skipped: outcome.pending.length - outcome.count };
}

type Pending = Awaited<ReturnType<typeof invitationAdmin.findPendingByIds>>;

interface Plan {
  kind: 'planned';
  pending: Pending;
  accounts: readonly KeyedAccount[];
  remails: readonly Remail<Pending[number]>[];
  /** How many invitations change. */
  count: number;
}
