import type { SessionStatus } from '@gatehouse/schema';
import type { SessionConditions, SessionRecord } from '@gatehouse/db';

/** Which sessions are asked for; every condition that is given must hold. */
export interface SessionFilter extends Pick<
  SessionConditions,
  | 'ipAddress'
  | 'ssoProvider'
  | 'deviceName'
  | 'createdFrom'
  | 'createdTo'
  | 'endedFrom'
  | 'endedTo'
  | 'lastSeenBefore'
> {
  status?: SessionStatus | undefined;
  accountId?: string | undefined;
  /** A part of the account's email or name, whatever the case; or the identifier of a session or an account. */
  search?: string | undefined;
  isOnline?: boolean | undefined;
  contentDefinitionId?: string | undefined;
}

/** A session as it stands now: where it is alive, its cached copy says when it was seen and what it watches. */
export interface SeenSession extends SessionRecord {
  isOnline: boolean;
}
