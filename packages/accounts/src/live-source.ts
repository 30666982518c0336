import type { LiveSession, SessionSource, Sighting } from '@gatehouse/auth-core';
import { liveSessionOutbox, userSessions, type Db, type SessionState } from '@gatehouse/db';

/** Why a session ended when its owner ended it: the one ending that a ping does not explain. */
export const LOGOUT = 'logout';

const BATCH = 500;

/** Postgres as the place that live copies come from. */
export function liveSourceOf(db: Db): SessionSource {
  const load = async (sessionIds: readonly string[]) =>
    (await userSessions.findStates(db, sessionIds)).map(liveCopyOf);

  return {
    load,
    async catchUp(write) {
      for (;;) {
        const marks = await liveSessionOutbox.find(db, BATCH);
        if (marks.length > 0) {
          await write(await load([...new Set(marks.map((mark) => mark.sessionId))]));
          await liveSessionOutbox.remove(
            db,
            marks.map((mark) => mark.id),
          );
        }
        if (marks.length < BATCH) return;
      }
    },
  };
}

/** The live copy of a session's row. */
export function liveCopyOf(state: SessionState): LiveSession {
  const { readAt, endReason, accountExpiresAt, contentDefinitionId, ...same } = state;
  return {
    ...same,
    // The table's check keeps it within the numbered set.
    status: state.status as LiveSession['status'],
    isLoggedOut: endReason === LOGOUT,
    accountExpiresAt: accountExpiresAt ?? undefined,
    contentDefinitionId: contentDefinitionId ?? undefined,
    readAtSeconds: readAt,
  };
}

/** When a live copy says that its session was seen, for Postgres to hear. */
export function sightingOf(session: LiveSession): Sighting {
  const { sessionId, lastSeenAt, lastPingAt, contentDefinitionId } = session;
  return { sessionId, seenAtSeconds: lastSeenAt, pingedAtSeconds: lastPingAt, contentDefinitionId };
}
