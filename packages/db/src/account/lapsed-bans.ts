import { query, type Transaction } from '../postgres/connect.ts';

/** Enables up to `max` accounts whose ban has ended by itself, and returns them; others may be doing the same. */
export async function end(tx: Transaction, max: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `update account
     set is_disabled = false, disabled_until = null, disabled_reason = null, tells_reason = false
     where id in (
       select id from account where disabled_until <= now() order by disabled_until limit ? for update skip locked)
     returning id`,
    [max],
  );
  return rows.map(({ id }) => id);
}
