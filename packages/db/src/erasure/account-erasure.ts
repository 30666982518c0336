import { query, type Transaction } from '../postgres/connect.ts';

/**
 * Erases an account that is due and whose sessions have ended everywhere: its own rows, and its personal data in tables
 * that are otherwise never changed. `false`: the account is no longer due, or not ready yet. `seconds`: how long this
 * may take, if longer than the usual time-out of a statement; waits for locks stay short even then.
 */
export async function erase(tx: Transaction, accountId: string, seconds?: number): Promise<boolean> {
  if (seconds !== undefined) await extendTimeout(tx, seconds);
  const [row] = await query<{ isForgotten: boolean }>(
    tx,
    'select forget_account(?) is not null as "isForgotten"',
    [accountId],
    seconds === undefined ? {} : { waitMs: waitMsOf(seconds) },
  );
  return row?.isForgotten === true;
}

/**
 * Does a part of `erase`, up to `rowsMax` rows; from then on the erasure cannot be cancelled. Returns how many rows it
 * found; `undefined`: the account is not due, or not ready.
 */
export async function erasePart(
  tx: Transaction,
  accountId: string,
  { rowsMax, seconds }: { rowsMax: number; seconds: number },
): Promise<number | undefined> {
  await extendTimeout(tx, seconds);
  const [row] = await query<{ count: number | null }>(
    tx,
    'select cast(forget_part(?, ?) as integer) as count',
    [accountId, rowsMax],
    { waitMs: waitMsOf(seconds) },
  );
  return row?.count ?? undefined;
}

/** Removes the mail worker's records of mails that were in transit when their accounts were erased. */
export async function eraseLateMails(tx: Transaction): Promise<void> {
  await query(tx, 'select forget_late_mails()');
}

async function extendTimeout(tx: Transaction, seconds: number): Promise<void> {
  await query(tx, "select set_config('statement_timeout', ?, true), set_config('lock_timeout', '1s', true)", [
    `${seconds}s`,
  ]);
}

/** Longer than the time-out of the statement on the server, so that the server ends it first. */
function waitMsOf(seconds: number): number {
  return seconds * 1000 + 500;
}
