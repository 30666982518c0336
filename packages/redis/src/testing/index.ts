import { SessionStatus } from '@gatehouse/schema';
import type { CachedSession } from '../session/cached-session.ts';

/** An active session of a user, last seen at this time (epoch seconds). */
export function someSession(lastSeenAt: number): CachedSession {
  return {
    sessionId: '01936f2e-0000-7000-8000-000000000002',
    accountId: '01936f2e-0000-7000-8000-000000000001',
    version: 1,
    status: SessionStatus.Normal,
    isLoggedOut: false,
    role: 'User',
    isAccountDisabled: false,
    accountExpiresAt: undefined,
    expiresAt: lastSeenAt + 2_592_000,
    lastSeenAt,
    lastPingAt: lastSeenAt,
    contentDefinitionId: undefined,
    readAtSeconds: lastSeenAt,
  };
}
