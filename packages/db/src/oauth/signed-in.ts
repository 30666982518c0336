import { query, type Executor } from '../postgres/connect.ts';
import { IS_GOOD } from '../session/session-refresh.ts';

/** Who is signed in to a browser, and when they proved who they are. Times in epoch seconds of the database. */
export interface SignedIn {
  accountId: string;
  sessionId: string;
  email: string;
  role: 'User' | 'Guest' | 'Admin';
  groups: string[];
  authenticatedAt: number | null;
  confirmedAt: number | null;
  now: number;
}

/** The person of an active session; `undefined` if it has ended, gets no tokens, or is a program's. */
export async function find(
  executor: Executor,
  session: { accountId: string; sessionId: string },
): Promise<SignedIn | undefined> {
  const [row] = await query<SignedIn>(
    executor,
    `select s.account_id as "accountId", s.id as "sessionId", a.email, a.role, a.groups,
       extract(epoch from s.authenticated_at)::float8 as "authenticatedAt",
       extract(epoch from s.confirmed_at)::float8 as "confirmedAt", extract(epoch from now())::float8 as now
     from user_session s join account a on a.id = s.account_id and not a.is_service and ${IS_GOOD}
     where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null
       and s.expires_at > now()`,
    { accountId: session.accountId, sessionId: session.sessionId },
  );
  return row;
}
