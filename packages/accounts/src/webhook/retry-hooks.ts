import {
  audit,
  hookDeliveryAdmin,
  inTransaction,
  type Actor,
  type DeliveryStatus,
  type HookRecord,
  type ParkedHook,
  type ParkedHookFilter,
  type Transaction,
} from '@gatehouse/db';
import { changeInBulk, CHANGED_MAX, type BulkOrder } from '../bulk-change.ts';
import type { AccountsDeps, Origin } from '../deps.ts';

/** All results except `queued` are refusals: the delivery is not parked, or its receiver does not want it. */
export type RetriedHook =
  | { kind: 'queued'; hook: HookRecord }
  | { kind: 'not_parked'; status: DeliveryStatus }
  | { kind: 'unwanted' };

/** Sends a parked delivery again, with all its tries; `undefined` if there is none with that id. */
export async function retryHook(
  deps: Pick<AccountsDeps, 'db'>,
  id: string,
  actor: Actor,
  origin: Origin,
): Promise<RetriedHook | undefined> {
  return await inTransaction(deps.db, origin, async (tx): Promise<RetriedHook | undefined> => {
    // Of two concurrent calls, the second waits here and then finds the delivery no longer parked.
    const [parked] = await hookDeliveryAdmin.findParked(tx, { id }, { max: 1, locks: true });
    if (parked?.isWanted === false) return { kind: 'unwanted' };
    if (parked !== undefined) await retryLocked(tx, [parked], { actor, origin });
    const hook = await hookDeliveryAdmin.findById(tx, id);
    if (hook === undefined || parked !== undefined) return hook && { kind: 'queued', hook };
    return { kind: 'not_parked', status: hook.status };
  });
}

/**
 * How many deliveries were retried, and how many were skipped because their webhook is disabled, or their application has
 * no address any more.
 */
export type RetriedHooks = { kind: 'changed'; count: number; skipped: number } | { kind: 'too_many' };

/** Sends all matching parked deliveries again, as `retryHook` does for one. */
export async function retryHooks(
  deps: Pick<AccountsDeps, 'db'>,
  filter: ParkedHookFilter,
  order: BulkOrder,
): Promise<RetriedHooks> {
  const outcome = await changeInBulk<Plan, Plan, { kind: 'too_many' }>(deps, order, {
    plan: async ({ executor, locks }) => {
      const hooks = await hookDeliveryAdmin.findParked(executor, filter, { max: CHANGED_MAX + 1, locks });
      return hooks.length > CHANGED_MAX ? { kind: 'too_many' } : { kind: 'planned', hooks };
    },
    carryOut: async (tx, plan) => {
      await retryLocked(tx, plan.hooks.filter(isSendable), order);
      return plan;
    },
  });
  if (outcome.kind === 'too_many') return outcome;
  const count = outcome.hooks.filter(isSendable).length;
  return { kind: 'changed', count, skipped: outcome.hooks.length - count };
}

interface Plan {
  kind: 'planned';
  hooks: readonly ParkedHook[];
}

function isSendable({ isWanted }: ParkedHook): boolean {
  return isWanted;
}

async function retryLocked(
  tx: Transaction,
  hooks: readonly ParkedHook[],
  { actor, origin }: Pick<BulkOrder, 'actor' | 'origin'>,
): Promise<void> {
  await hookDeliveryAdmin.retry(
    tx,
    hooks.map(({ id }) => id),
  );
  const entries = hooks.map(({ id, webhookId, clientId, type }) => ({
    action: 'hook-delivery.retried' as const,
    actor,
    target: { kind: 'HookDelivery' as const, id },
    details: {
      ...(webhookId !== null && { WebhookId: webhookId }),
      ...(clientId !== null && { ClientId: clientId }),
      Type: type,
    },
  }));
  await audit.append(tx, entries, origin);
}
