import { audit, erasures, type Transaction } from '@gatehouse/db';
import type { By } from '../account/admin/create-account.ts';

/**
 * Makes those of these accounts that have a pending erasure stay disabled if it is cancelled, and invalidates the links
 * that cancel it: an owner's request must not protect an account from being disabled.
 */
export async function keepDisabled(
  tx: Transaction,
  accountIds: readonly string[],
  { actor, origin, reason }: By & { reason?: string | undefined },
): Promise<void> {
  const kept = await erasures.keepDisabled(tx, accountIds);
  const details = { IsDisabled: true, ...(reason !== undefined && { Reason: reason }) };
  const entries = kept.map((id) => ({
    action: 'account.changed' as const,
    actor,
    target: { kind: 'Account' as const, id },
    details,
  }));
  await audit.append(tx, entries, origin);
}
