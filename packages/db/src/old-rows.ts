import { query, type Transaction } from './postgres/connect.ts';

/** How old rows are deleted, by the functions that the database has for it: no service may delete any itself. */
const FORGET = {
  user_session: 'select forget_sessions(:keepDays, :max) as count',
  session_event: 'select forget_session_events(:keepDays, :max) as count',
  audit: 'select forget_audit(:keepDays, :max) as count',
};

/** A table whose rows are kept for a time. */
export type RetainedTable = keyof typeof FORGET;

/**
 * Deletes up to `max` rows of a table that are older than `keepDays`, counted from the end of a session; returns how many.
 * The database keeps them for longer where that is less than the least time of the table.
 */
export async function deleteOldest(
  tx: Transaction,
  table: RetainedTable,
  options: { keepDays: number; max: number },
): Promise<number> {
  const [row] = await query<{ count: number }>(tx, FORGET[table], options);
  return row?.count ?? 0;
}
