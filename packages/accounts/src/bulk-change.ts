import type { Actor, Executor, Transaction } from '@gatehouse/db';
import type { Origin, SessionDeps } from './deps.ts';
import { write, type WriteTransaction } from './session/write.ts';

/** The most rows that may be changed at once without a fresh proof of the administrator's identity. */
export const UNPROVEN_MAX = 50;
/** The most rows that a call may change, so that it finishes within a request's time. */
export const CHANGED_MAX = 5000;
/** How many of the changed rows are returned in full. */
export const SHOWN_MAX = 200;
/** How many rows one statement writes, which keeps it well within its time-out. */
const BATCH = 1000;

/** Who requests a bulk change, why, and whether it is a dry run. */
export interface BulkOrder {
  actor: Actor;
  origin: Origin;
  reason?: string | undefined;
  isTrial: boolean;
  /** Whether the administrator lacks a fresh proof of identity. */
  isUnproven: boolean;
}

/** How a plan reads: in the transaction of the change, with locks, or in a dry run, without. */
export interface Reading {
  executor: Executor;
  tx: Transaction | undefined;
  locks: boolean;
}

/**
 * Changes many rows, or none. The change is planned first, from what it reads, and then carried out. A dry run only
 * plans: it reads without locks, so that nobody waits for it, and writes nothing. A real change plans in its
 * transaction, with the rows locked, so that the plan still holds while it is carried out. A plan of another kind than
 * `planned` is a refusal.
 */
export async function changeInBulk<P extends { kind: 'planned' }, D, R extends { kind: string }>(
  deps: SessionDeps,
  { actor, origin, isTrial }: Pick<BulkOrder, 'actor' | 'origin' | 'isTrial'>,
  change: {
    plan: (at: Reading) => Promise<P | R>;
    /** Why the change may not be carried out, although a dry run may show it. */
    refuse?: (plan: P, tx: Transaction) => R | undefined | Promise<R | undefined>;
    carryOut: (tx: WriteTransaction, plan: P) => Promise<D>;
  },
): Promise<P | R | D> {
  if (isTrial) return change.plan({ executor: deps.db, tx: undefined, locks: false });
  return write<P | R | D>(deps, { actor, origin }, async (tx) => {
    const plan = await change.plan({ executor: tx, tx, locks: true });
    if (plan.kind !== 'planned') return plan;
    // The kind tells a plan from a refusal, which TypeScript cannot conclude for two type parameters.
    const planned = plan as P;
    return (await change.refuse?.(planned, tx)) ?? (await change.carryOut(tx, planned));
  });
}

/**
 * Refuses a sensitive change without a fresh proof of the administrator's identity; of a person, also one of many rows.
 */
export function unproven(
  { isUnproven, actor }: Pick<BulkOrder, 'isUnproven' | 'actor'>,
  count: number,
  isSensitive = false,
): { kind: 'unproven' } | undefined {
  const isMuch = count > UNPROVEN_MAX && actor.kind !== 'ApiToken';
  return isUnproven && (isMuch || isSensitive) ? { kind: 'unproven' } : undefined;
}

/** Works on many rows in parts, one after the other. */
export async function inBatches<T>(
  rows: readonly T[],
  work: (part: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH) await work(rows.slice(at, at + BATCH));
}
