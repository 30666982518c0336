import { query, type Transaction } from '../postgres/connect.ts';

/**
 * Erases an account that is due and whose sessions have ended everywhere, with all that is its own, and what is personal
 * in the tables that are never changed otherwise. `false`: it is not due any more, or not yet ready. `seconds`: how long that
 * may take, where it is more than a statement has otherwise; it waits for nobody's lock that long.
 */
export async function erase(tx: Transaction, accountId: string, seconds?: number): Promise<boolean> {
  if (seconds !== undefined) await giveTime(tx, seconds);
  const [row] = await query<{ isForgotten: boolean }>(
    tx,
    'select forget_account(?) is not null as "isForgotten"',
    [accountId],
    seconds === undefined ? {} : { waitMs: waitMsOf(seconds) },
  );
  return row?.isForgotten === true;
}

/**
 * Does up to `rowsMax` rows of what `erase` does, which then is not taken back any more. Returns how many it found;
 * `undefined`: the account is not due, or not ready.
 */
export async function erasePart(
  tx: Transaction,
  accountId: string,
  { rowsMax, seconds }: { rowsMax: number; seconds: number },
): Promise<number | undefined> {
  await giveTime(tx, seconds);
  const [row] = await query<{ count: number | null }>(
    tx,
    'select cast(forget_part(?, ?) as integer) as count',
    [accountId, rowsMax],
    { waitMs: waitMsOf(seconds) },
  );
  return row?.count ?? undefined;
}

/** Removes what the mail worker has written down of mails that were on their way to accounts that are erased. */
export async function eraseLateMails(tx: Transaction): Promise<void> {
  await query(tx, 'select forget_late_mails()');
}

async function giveTime(tx: Transaction, seconds: number): Promise<void> {
  await query(tx, "select set_config('statement_timeout', ?, true), set_config('lock_timeout', '1s', true)", [
    `${seconds}s`,
  ]);
}

/** The statement ends before. */
function waitMsOf(seconds: number): number {
  return seconds * 1000 + 500;
}
