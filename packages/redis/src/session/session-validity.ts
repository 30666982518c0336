import type { Reading } from './cached-session.ts';
import { PingStatus, SessionStatus } from '@gatehouse/schema';

/** Why a bearer token is refused (docs/errors.md). */
export type RefusalCode = 'token_missing' | 'token_invalid' | 'token_expired' | SessionRefusal;

export type SessionRefusal =
  'session_replaced' | 'session_deactivated' | 'session_expired' | 'session_ended' | 'invite_deleted';

const CODE_BY_STATUS: Partial<Record<SessionStatus, SessionRefusal>> = {
  [SessionStatus.SessionReplaced]: 'session_replaced',
  [SessionStatus.Deactivated]: 'session_deactivated',
  [SessionStatus.PendingInvite]: 'session_deactivated',
  [SessionStatus.Expired]: 'session_expired',
  [SessionStatus.DeletedInvite]: 'invite_deleted',
};

/** Why the session gives no access now; `undefined` if it does. */
export function refusalOf({ session, nowSeconds }: Reading, idleSeconds: number): SessionRefusal | undefined {
  if (session.isLoggedOut) return 'session_ended';
  const code = CODE_BY_STATUS[session.status];
  if (code !== undefined) return code;
  if (session.isAccountDisabled) return 'session_deactivated';
  if (hasAccountExpired(session, nowSeconds) || hasLapsed(session, nowSeconds, idleSeconds))
    return 'session_expired';
  return undefined;
}

/** The status that a ping returns: the account’s condition comes before the session’s own. */
export function pingStatusOf(reading: Reading, idleSeconds: number): PingStatus {
  const { session, nowSeconds } = reading;
  if (session.isAccountDisabled) return PingStatus.SessionDeactivated;
  if (hasAccountExpired(session, nowSeconds)) return PingStatus.AccountExpired;
  switch (refusalOf(reading, idleSeconds)) {
    case undefined:
      return session.status === SessionStatus.ChatDisabled ? PingStatus.ChatDisabled : PingStatus.Normal;
    case 'session_expired':
      return PingStatus.AccountExpired;
    default:
      return PingStatus.SessionDeactivated;
  }
}

/**
 * Idle for too long, or at the end of its lifetime. Times are rounded down; as only a difference above `idleSeconds`
 * counts, this is never true before it is in Postgres, which calculates exactly.
 */
export function hasLapsed(session: Reading['session'], nowSeconds: number, idleSeconds: number): boolean {
  return nowSeconds >= session.expiresAt || nowSeconds > session.lastSeenAt + idleSeconds;
}

function hasAccountExpired(session: Reading['session'], nowSeconds: number): boolean {
  return session.accountExpiresAt !== undefined && nowSeconds >= session.accountExpiresAt;
}
