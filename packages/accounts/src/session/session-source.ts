import type { CachedSession, LastSeen, SessionSource } from '@gatehouse/redis';
import { userSessions, type Db, type SessionState } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';

/** The reason of an end by the session's owner: the only end that a ping does not explain. */
export const LOGOUT = 'logout';
/** The reason if the owner logged out at the identity provider; treated the same. */
export const PROVIDER_LOGOUT = 'provider_logout';

const BATCH = 500;

export function sessionSourceOf(db: Db): SessionSource {
  const load = async (sessionIds: readonly string[]) =>
    (await userSessions.findStates(db, sessionIds)).map(cachedSessionOf);

  return {
    load,
    async catchUp(write, after = '0') {
      let last = after;
      for (;;) {
        const marks = await userSessions.findUncached(db, last, BATCH);
        if (marks.length > 0) {
          const left = await write(await load([...new Set(marks.map((mark) => mark.sessionId))]));
          const done = marks.filter((mark) => !left.has(mark.sessionId));
          const ids = done.map((mark) => mark.id);
          await userSessions.removeUncached(db, ids);
        }
        last = marks.at(-1)?.id ?? last;
        if (marks.length < BATCH) return last;
      }
    },
  };
}

export function cachedSessionOf(state: SessionState): CachedSession {
  const { readAt, endReason, accountExpiresAt, contentDefinitionId, ...same } = state;
  return {
    ...same,
    // The table's check allows only values of the enumeration.
    status: state.status as CachedSession['status'],
    isLoggedOut: endReason === LOGOUT || endReason === PROVIDER_LOGOUT,
    accountExpiresAt: accountExpiresAt ?? undefined,
    contentDefinitionId: contentDefinitionId ?? undefined,
    readAtSeconds: readAt,
  };
}

export function lastSeenOf(session: CachedSession): LastSeen {
  const { sessionId, lastSeenAt, lastPingAt, contentDefinitionId } = session;
  return { sessionId, seenAtSeconds: lastSeenAt, pingedAtSeconds: lastPingAt, contentDefinitionId };
}

/** How late Postgres learns when a session was last seen: a quarter of the idle lifetime, at most 5 s. */
export function lastSeenDelaySeconds(idleSeconds: number): number {
  return Math.min(5, idleSeconds / 4);
}

/** The idle lifetime, as far as Postgres knows when a session was last seen. */
export function idleSecondsIn({
  SESSION_IDLE_SECONDS,
}: Pick<AccountsDeps['settings'], 'SESSION_IDLE_SECONDS'>): number {
  return SESSION_IDLE_SECONDS + lastSeenDelaySeconds(SESSION_IDLE_SECONDS);
}
