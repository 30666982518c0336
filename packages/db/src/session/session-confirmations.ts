import { query, type Executor } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';
import type { AuthenticationMethod } from './authentication.ts';

/** The session that a credential belongs to, and which one it is: `credentialNameOf`. */
export interface ConfirmedCredential {
  sessionId: string;
  credential: string;
}

/** What a confirmation is given for: a dangerous action here, or a sign-in to an application. */
export type ConfirmationPurpose = 'action' | 'application';

/** Records that the owner of an active session has just proved their identity again, with this credential. */
export const record = txStatement.run<
  ConfirmedCredential & { purpose: ConfirmationPurpose; by: readonly AuthenticationMethod[] }
>(`insert into session_confirmation (session_id, credential, purpose, confirmed_by)
  select id, :credential, :purpose, cast(:by as text[])
  from user_session
  where id = :sessionId and ended_at is null
  on conflict (session_id, credential, purpose)
  do update set confirmed_at = excluded.confirmed_at, confirmed_by = excluded.confirmed_by`);

/**
 * Whether the owner of an active session proved their identity within this number of seconds, with a second factor if
 * one is needed: at its login, unless only confirmations count, or later, for an action, with this credential.
 */
export async function isFresh(
  executor: Executor,
  of: ConfirmedCredential,
  needs: { seconds: number; needsSecondFactor: boolean; isConfirmationOnly: boolean },
) {
  const proves = (at: string, by: string) => `(
    ${at} > now() - make_interval(secs => :seconds)
    and (${by} && array['second-factor', 'passkey'] or not cast(:needsSecondFactor as boolean)))`;
  const sql = `select s.id
    from user_session s
    left join session_confirmation c
      on c.session_id = s.id and c.credential = :credential and c.purpose = 'action'
    where s.id = :sessionId and s.ended_at is null
      and (${proves('c.confirmed_at', 'c.confirmed_by')}
        or (not cast(:isConfirmationOnly as boolean) and ${proves('s.authenticated_at', 's.authenticated_by')}))`;
  return await query.any(executor, sql, { ...of, ...needs });
}

export const isBySignOn = statement.any<[sessionId: string]>(
  'select id from user_session where id = ? and sso_provider is not null',
);
