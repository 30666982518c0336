import { query, type Executor } from './connect.ts';

/** Sessions whose live copies may have to be written again, oldest first, and the marks to remove afterwards. */
export async function find(executor: Executor, max: number): Promise<{ id: string; sessionId: string }[]> {
  return await query(
    executor,
    `select id, session_id as "sessionId" from live_session_outbox order by id limit ?`,
    [max],
  );
}

/** Removes marks whose copies were written. */
export async function remove(executor: Executor, ids: readonly string[]): Promise<void> {
  await query(executor, 'delete from live_session_outbox where id = any(?::bigint[])', [ids]);
}
