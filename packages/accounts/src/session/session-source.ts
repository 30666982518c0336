import type { CachedSession, SessionSource, LastSeen } from '@gatehouse/session-cache';
import { sessionCacheOutbox, userSessions, type Db, type SessionState } from '@gatehouse/db';

/** Why a session ended when its owner ended it: the one ending that a ping does not explain. */
export const LOGOUT = 'logout';
/** The same, when they logged out at the identity provider. */
export const PROVIDER_LOGOUT = 'provider_logout';

const BATCH = 500;

/** Postgres as the source of cached sessions. */
export function sessionSourceOf(db: Db): SessionSource {
  const load = async (sessionIds: readonly string[]) =>
    (await userSessions.findStates(db, sessionIds)).map(cachedSessionOf);

  return {
    load,
    async catchUp(write, after = '0') {
      let last = after;
      for (;;) {
        const marks = await sessionCacheOutbox.find(db, BATCH, last);
        if (marks.length > 0) {
          const left = await write(await load([...new Set(marks.map((mark) => mark.sessionId))]));
          const done = marks.filter((mark) => !left.has(mark.sessionId));
          await sessionCacheOutbox.remove(
            db,
            done.map((mark) => mark.id),
          );
        }
        last = marks.at(-1)?.id ?? last;
        if (marks.length < BATCH) return last;
      }
    },
  };
}

/** What is cached of a session, from its row. */
export function cachedSessionOf(state: SessionState): CachedSession {
  const { readAt, endReason, accountExpiresAt, contentDefinitionId, ...same } = state;
  return {
    ...same,
    // The table's check keeps it within the numbered set.
    status: state.status as CachedSession['status'],
    isLoggedOut: endReason === LOGOUT || endReason === PROVIDER_LOGOUT,
    accountExpiresAt: accountExpiresAt ?? undefined,
    contentDefinitionId: contentDefinitionId ?? undefined,
    readAtSeconds: readAt,
  };
}

/** When a session was last seen according to its cached copy, to be written to Postgres. */
export function lastSeenOf(session: CachedSession): LastSeen {
  const { sessionId, lastSeenAt, lastPingAt, contentDefinitionId } = session;
  return { sessionId, seenAtSeconds: lastSeenAt, pingedAtSeconds: lastPingAt, contentDefinitionId };
}
