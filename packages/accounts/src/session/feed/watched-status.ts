import type { Replacement } from '@gatehouse/auth-core';
import type { SessionState } from '@gatehouse/db';
import { PingStatus, SessionStatus } from '@gatehouse/schema';
import { pingStatusOf, refusalOf, type Reading, type SessionRefusal } from '@gatehouse/redis';
import type { AccountsDeps } from '../../deps.ts';
import { cachedSessionOf } from '../session-source.ts';

/** The status that a session's client is sent, the same as for a ping. */
export interface WatchedStatus {
  status: PingStatus;
  /** Why the session no longer gives access; the watch is over then. */
  reason: SessionRefusal | undefined;
  replacedBy: Replacement | undefined;
}

/** The status to report for a session; a session that cannot be found has ended. */
export async function watchedStatusOf(
  deps: Pick<AccountsDeps, 'findReplacement' | 'settings'>,
  reading: Reading | undefined,
): Promise<WatchedStatus> {
  const ended = { status: PingStatus.SessionDeactivated, replacedBy: undefined };
  if (reading === undefined) return { ...ended, reason: 'session_ended' };
  const idleSeconds = deps.settings.SESSION_IDLE_SECONDS;
  const isReplaced = reading.session.status === SessionStatus.SessionReplaced;
  return {
    status: pingStatusOf(reading, idleSeconds),
    reason: refusalOf(reading, idleSeconds),
    replacedBy: isReplaced ? await deps.findReplacement(reading.session) : undefined,
  };
}

/** A session as stored in Postgres, except that its cached copy may have been seen later. */
export function readingOf(state: SessionState, copy: Reading | undefined): Reading {
  const session = cachedSessionOf(state);
  const lastSeenAt = Math.max(session.lastSeenAt, copy?.session.lastSeenAt ?? 0);
  return { session: { ...session, lastSeenAt }, nowSeconds: state.readAt };
}
