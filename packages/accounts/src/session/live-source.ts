import type { LiveSession, SessionSource, Sighting } from '@gatehouse/session-cache';
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
    async catchUp(write, after = '0') {
      let last = after;
      for (;;) {
        const marks = await liveSessionOutbox.find(db, BATCH, last);
        if (marks.length > 0) {
          const left = await write(await load([...new Set(marks.map((mark) => mark.sessionId))]));
          const done = marks.filter((mark) => !left.has(mark.sessionId));
          await liveSessionOutbox.remove(
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
