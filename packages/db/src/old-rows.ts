import { query, type Transaction } from './postgres/connect.ts';

/** Old rows are deleted by functions of the database, because no service has the right to delete any itself. */
const FORGET = {
  user_session: 'select forget_sessions(:keepDays, :max) as count',
  session_event: 'select forget_session_events(:keepDays, :max) as count',
  sign_in: 'select forget_sign_ins(:keepDays, :max) as count',
  audit: 'select forget_audit(:keepDays, :max) as count',
};

/** A table whose rows are deleted after a retention period. */
export type RetainedTable = keyof typeof FORGET;

/**
 * Deletes up to `max` rows of a table that are older than `keepDays`; the age of a session counts from its end. Returns
 * how many. If `keepDays` is below the minimum of the table, the database applies the minimum.
 */
export async function deleteOldest(
  tx: Transaction,
  table: RetainedTable,
  options: { keepDays: number; max: number },
): Promise<number> {
  const [row] = await query<{ count: number }>(tx, FORGET[table], options);
  return row?.count ?? 0;
}
