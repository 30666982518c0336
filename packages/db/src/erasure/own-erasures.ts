import { v7 as newId } from 'uuid';
import { query, type Transaction } from '../postgres/connect.ts';

/**
 * Stores an owner's request for erasure, uses up the code that proves it, and disables the account until then. Returns
 * when the erasure is due; `undefined` if another request used the code first, or an erasure is already pending.
 */
export async function insert(
  tx: Transaction,
  erasure: { accountId: string; codeId: string; days: number; restoreHash: Buffer | undefined },
): Promise<Date | undefined> {
  const { accountId, codeId, days, restoreHash } = erasure;
  const [row] = await query<{ erasesAt: Date | null }>(
    tx,
    'select begin_own_erasure(:id, :accountId, :codeId, cast(:days as integer), :restoreHash) as "erasesAt"',
    { id: newId(), accountId, codeId, days, restoreHash: restoreHash ?? null },
  );
  return row?.erasesAt ?? undefined;
}

/**
 * Cancels the pending erasure whose link contains this secret, and returns its account; `undefined` if there is none.
 */
export async function cancel(tx: Transaction, restoreHash: Buffer): Promise<string | undefined> {
  const [row] = await query<{ accountId: string | null }>(
    tx,
    'select take_back_own_erasure(?) as "accountId"',
    [restoreHash],
  );
  return row?.accountId ?? undefined;
}

/**
 * Cancels the erasure that the owner requested since the change of email which this secret takes back, and returns the
 * account. Before the secret is used; the transaction must have locked the account.
 */
export async function cancelByFormerEmail(tx: Transaction, tokenHash: Buffer): Promise<string | undefined> {
  const [row] = await query<{ accountId: string | null }>(
    tx,
    'select take_back_erasure_by_email(?) as "accountId"',
    [tokenHash],
  );
  return row?.accountId ?? undefined;
}
