import { query, type Executor } from '../postgres/connect.ts';
import type { AuthenticationMethod } from '../session/authentication.ts';
import type { ConfirmedCredential } from '../session/session-confirmations.ts';
import { IS_GOOD } from '../session/session-refresh.ts';

/** Who is signed in to a browser, and what they last proved in it. Times in epoch seconds of the database. */
export interface SignedIn {
  accountId: string;
  sessionId: string;
  email: string;
  role: 'User' | 'Guest' | 'Admin';
  groups: string[];
  /** Null: nothing was proved in this browser, or the identity provider did not say when. */
  authenticatedAt: number | null;
  /** Null: nothing was proved in this browser. */
  authenticatedBy: AuthenticationMethod[] | null;
  now: number;
}

/**
 * The person of an active session; `undefined` if it has ended, gets no tokens, or is a program's. The login of a session
 * that was handed over proves nothing about the browser's user. A confirmation counts, whatever it was given for.
 */
export async function find(
  executor: Executor,
  session: ConfirmedCredential & { accountId: string; isHandedOver: boolean },
): Promise<SignedIn | undefined> {
  const [row] = await query<SignedIn>(
    executor,
    `select s.account_id as "accountId", s.id as "sessionId", a.email, a.role, a.groups,
       extract(epoch from proof.at)::float8 as "authenticatedAt", proof.by as "authenticatedBy",
       extract(epoch from now())::float8 as now
     from user_session s
     join account a on a.id = s.account_id and not a.is_service and ${IS_GOOD}
     left join lateral (
       select s.authenticated_at as at, coalesce(s.authenticated_by, '{}') as by
       where not cast(:isHandedOver as boolean)
       union all
       select c.confirmed_at, c.confirmed_by
       from session_confirmation c
       where c.session_id = s.id and c.credential = :credential
       order by at desc nulls last
       limit 1
     ) proof on true
     where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null
       and s.expires_at > now()`,
    { ...session },
  );
  return row;
}
