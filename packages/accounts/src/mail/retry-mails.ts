import { audit, mailAdmin, type ParkedMailFilter, type Transaction } from '@gatehouse/db';
import { changeInBulk, CHANGED_MAX, type BulkOrder } from '../bulk-change.ts';
import type { AccountsDeps } from '../deps.ts';

/** How many mails were retried, and how many were skipped because their code or link no longer works. */
export type RetriedMails = { kind: 'changed'; count: number; skipped: number } | { kind: 'too_many' };

/** Sends all matching parked mails again, as `retryMail` does for one. */
export async function retryMails(
  deps: Pick<AccountsDeps, 'db'>,
  filter: ParkedMailFilter,
  order: BulkOrder,
): Promise<RetriedMails> {
  const outcome = await changeInBulk<Plan, Plan, { kind: 'too_many' }>(deps, order, {
    plan: async ({ executor, locks }) => {
      const mails = await mailAdmin.findParked(executor, filter, { max: CHANGED_MAX + 1, locks });
      return mails.length > CHANGED_MAX ? { kind: 'too_many' } : { kind: 'planned', mails };
    },
    carryOut: async (tx, plan) => {
      await retryLocked(tx, plan.mails.filter(isAlive), order);
      return plan;
    },
  });
  if (outcome.kind === 'too_many') return outcome;
  const count = outcome.mails.filter(isAlive).length;
  return { kind: 'changed', count, skipped: outcome.mails.length - count };
}

function isAlive({ invalid }: mailAdmin.ParkedMail): boolean {
  return invalid === null;
}

/** Sends parked mails again that the transaction has locked, each with its audit entry. */
export async function retryLocked(
  tx: Transaction,
  mails: readonly mailAdmin.ParkedMail[],
  { actor, origin }: Pick<BulkOrder, 'actor' | 'origin'>,
): Promise<void> {
  await mailAdmin.retry(
    tx,
    mails.map(({ id }) => id),
  );
  const entries = mails.map(({ id, kind, accountId }) => ({
    action: 'mail.retried' as const,
    actor,
    target: { kind: 'Mail' as const, id },
    details: { Kind: kind, UserId: accountId },
  }));
  await audit.append(tx, entries, origin);
}

interface Plan {
  kind: 'planned';
  mails: readonly mailAdmin.ParkedMail[];
}
