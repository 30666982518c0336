import { refusalOf, type Reading, type LastSeen } from '@gatehouse/redis';
import { isActive, SessionStatus } from '@gatehouse/schema';
import { inTransaction, lapsedSessions, lastSeen, outbox } from '@gatehouse/db';
import { newEvent, type AnyEvent } from '@gatehouse/events';
import { countOnCommit } from '../checks/count-on-commit.ts';
import type { SessionDeps } from '../deps.ts';
import { lastSeenDelaySeconds, lastSeenOf } from './session-source.ts';
import { endSessions, publishSessions } from './open-and-end.ts';
import { tagFact } from './slots/session-slots.ts';
import { withinSeconds } from '@gatehouse/runtime';

const SWEEP_MAX = 500;
const LAST_SEEN_MAX = 1000;

/**
 * Records the end of a session that was found to have expired, or whose account has. A session that has changed since
 * then is left alone: an administrator may have made it active again meanwhile.
 */
export async function endLapsedSession(deps: SessionDeps, { session }: Reading): Promise<void> {
  const { sessionId, status, version } = session;
  if (!isActive(status)) return;
  const change = { status: SessionStatus.Expired, reason: 'expired', changedBy: undefined } as const;
  const ended = await inTransaction(deps.db, withinSeconds(10), (tx) =>
    endSessions(deps, tx, { kind: 'session', sessionId, ofVersion: version }, change, undefined),
  );
  await publishSessions(deps, ended);
}

/** Ends sessions that expired without being requested again; call it regularly. Returns how many. */
export async function sweepLapsedSessions(deps: SessionDeps): Promise<number> {
  const { db, settings } = deps;
  const idleSeconds = settings.SESSION_IDLE_SECONDS + 2 * lastSeenDelaySeconds(settings.SESSION_IDLE_SECONDS);
  const candidates = await lapsedSessions.find(db, { idleSeconds, max: SWEEP_MAX });
  if (candidates.length === 0) return 0;
  const gone = await withoutLiving(deps, candidates);
  const ended = await inTransaction(db, withinSeconds(10), async (tx) => {
    const lapsed = await lapsedSessions.end(tx, gone, {
      tokenSeconds: settings.ACCESS_TOKEN_SECONDS,
      idleSeconds,
      expiredStatus: SessionStatus.Expired,
    });
    const events = lapsed.map((session): AnyEvent =>
      newEvent('session.ended', {
        SessionId: session.id,
        UserId: session.accountId,
        Status: SessionStatus.Expired,
        Reason: 'expired',
        ...tagFact(session.tag),
      }),
    );
    await outbox.add(tx, events);
    countOnCommit(deps, tx, 'session.expired', lapsed.length);
    return lapsed.map((session) => session.id);
  });
  await publishSessions(deps, ended);
  return ended.length;
}

/**
 * The sessions that have also expired according to their cached copies: after an outage of Postgres, pings may not have
 * been written yet. For the other sessions, the times of their pings are written now.
 */
async function withoutLiving(
  deps: SessionDeps,
  candidates: readonly { accountId: string; sessionId: string }[],
): Promise<string[]> {
  const readings = await Promise.all(
    candidates.map(({ accountId, sessionId }) => deps.sessionCache.read(accountId, sessionId)),
  );
  const living = readings.filter(
    (reading) =>
      reading !== undefined && refusalOf(reading, deps.settings.SESSION_IDLE_SECONDS) === undefined,
  );
  const seen = living.flatMap((reading) => (reading === undefined ? [] : [lastSeenOf(reading.session)]));
  await saveLastSeen(deps, seen);
  const alive = new Set(living.map((reading) => reading?.session.sessionId));
  return candidates.map(({ sessionId }) => sessionId).filter((id) => !alive.has(id));
}

/** Writes to Postgres when sessions were last seen, in batches that keep each statement well within its time-out. */
export async function saveLastSeen(deps: SessionDeps, seen: readonly LastSeen[]): Promise<void> {
  for (let at = 0; at < seen.length; at += LAST_SEEN_MAX) {
    await lastSeen.save(deps.db, seen.slice(at, at + LAST_SEEN_MAX));
  }
}
