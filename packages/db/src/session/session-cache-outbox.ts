import { query, type Executor } from '../postgres/connect.ts';

/**
 * Sessions whose cached copies may have to be written again, oldest first, after the entry `after`, with the entries to
 * remove once that is done.
 */
export async function find(
  executor: Executor,
  max: number,
  after: string,
): Promise<{ id: string; sessionId: string }[]> {
  const sql = `select id, session_id as "sessionId" from live_session_outbox where id > ?::bigint order by id limit ?`;
  return await query(executor, sql, [after, max]);
}

/** Removes entries whose copies were written. */
export async function remove(executor: Executor, ids: readonly string[]): Promise<void> {
  await query(executor, 'delete from live_session_outbox where id = any(?::bigint[])', [ids]);
}
