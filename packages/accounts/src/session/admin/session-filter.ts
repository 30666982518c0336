import type { SessionStatus } from '@gatehouse/schema';
import type { SessionConditions, SessionRecord } from '@gatehouse/db';

/** Which sessions are requested; a session must meet all given conditions. */
export interface SessionFilter extends Omit<SessionConditions, 'sessionIds' | 'accountIds' | 'online'> {
  status?: SessionStatus | undefined;
  accountId?: string | undefined;
  /** A part of the account's email or name, case-insensitive; or the id of a session or an account. */
  search?: string | undefined;
  isOnline?: boolean | undefined;
}

/** The current state of a session: if it is active, its cached copy tells when it was seen and what it watches. */
export interface SeenSession extends SessionRecord {
  isOnline: boolean;
}
