import { v7 as newId } from 'uuid';
import { query, type Transaction } from '../postgres/connect.ts';

/**
 * Notes that an owner wishes to be erased, whose living code this uses up, and disables the account until then. Returns the
 * moment; `undefined` when the code was used first by another request, or an erasure is pending already.
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

/** Takes back the pending erasure whose link has this secret, and returns its account; `undefined` when there is none. */
export async function takeBack(tx: Transaction, restoreHash: Buffer): Promise<string | undefined> {
  const [row] = await query<{ accountId: string | null }>(
    tx,
    'select take_back_own_erasure(?) as "accountId"',
    [restoreHash],
  );
  return row?.accountId ?? undefined;
}
