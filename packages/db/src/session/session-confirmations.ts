import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** Records that the owner of a session has just proved their identity. */
export async function record(tx: Transaction, sessionId: string): Promise<void> {
  await query(tx, 'update user_session set confirmed_at = now() where id = ? and ended_at is null', [
    sessionId,
  ]);
}

/** Whether the owner did so within this number of seconds. */
export async function isRecent(executor: Executor, sessionId: string, seconds: number): Promise<boolean> {
  const rows = await query(
    executor,
    `select id from user_session
     where id = :sessionId and confirmed_at > now() - make_interval(secs => :seconds)`,
    { sessionId, seconds },
  );
  return rows.length === 1;
}

/** Whether the owner did so, or logged in, within this number of seconds. */
export async function isRecentOrNew(
  executor: Executor,
  sessionId: string,
  seconds: number,
): Promise<boolean> {
  const rows = await query(
    executor,
    `select id from user_session
     where id = :sessionId and greatest(confirmed_at, created_at) > now() - make_interval(secs => :seconds)`,
    { sessionId, seconds },
  );
  return rows.length === 1;
}

/** Whether the owner logged in within this number of seconds. */
export async function isNew(executor: Executor, sessionId: string, seconds: number): Promise<boolean> {
  const rows = await query(
    executor,
    `select id from user_session where id = :sessionId and created_at > now() - make_interval(secs => :seconds)`,
    { sessionId, seconds },
  );
  return rows.length === 1;
}
