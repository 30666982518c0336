import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import type { AuthenticationMethod } from './authentication.ts';

/** Records that the owner of an active session has just proved their identity again. */
export async function record(
  tx: Transaction,
  sessionId: string,
  by: readonly AuthenticationMethod[],
): Promise<void> {
  await query(
    tx,
    `update user_session set confirmed_at = now(), confirmed_by = cast(:by as text[])
     where id = :sessionId and ended_at is null`,
    { sessionId, by },
  );
}

/**
 * Whether the owner of an active session proved their identity within this number of seconds, with a second factor if
 * one is needed: at its login, unless only confirmations count, or later.
 */
export async function isFresh(
  executor: Executor,
  sessionId: string,
  needs: { seconds: number; needsSecondFactor: boolean; isConfirmationOnly: boolean },
): Promise<boolean> {
  const proves = (at: string, by: string) => `(
    ${at} > now() - make_interval(secs => :seconds)
    and (${by} && array['second-factor', 'passkey'] or not cast(:needsSecondFactor as boolean)))`;
  const rows = await query(
    executor,
    `select id from user_session
     where id = :sessionId and ended_at is null
       and (${proves('confirmed_at', 'confirmed_by')}
         or (not cast(:isConfirmationOnly as boolean) and ${proves('authenticated_at', 'authenticated_by')}))`,
    { sessionId, ...needs },
  );
  return rows.length === 1;
}

/** Whether a single sign-on opened the session. */
export async function isBySignOn(executor: Executor, sessionId: string): Promise<boolean> {
  const rows = await query(
    executor,
    'select id from user_session where id = ? and sso_provider is not null',
    [sessionId],
  );
  return rows.length === 1;
}
