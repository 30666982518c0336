import type { LastSeen, Reading } from '@gatehouse/redis';
import { isActive, SessionStatus } from '@gatehouse/schema';
import { inTransaction, userSessions, outbox } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { withinSeconds } from '@gatehouse/runtime';
import { countOnCommit } from '../checks/count-on-commit.ts';
import type { SessionDeps } from '../deps.ts';
import { lastSeenDelaySeconds, lastSeenOf } from './session-source.ts';
import { endSessions, publishSessions } from './open-and-end.ts';
import { readPresence } from './presence.ts';
import { tagFact } from './slots.ts';
import { inBatches } from './write.ts';

const SWEEP_MAX = 500;

/** Records the end of a lapsed session, unless it has changed since: an administrator may have made it active again. */
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
  const candidates = await userSessions.findLapsed(db, { idleSeconds, max: SWEEP_MAX });
  if (candidates.length === 0) return 0;
  const gone = await withoutLiving(deps, candidates);
  const ended = await inTransaction(db, withinSeconds(10), async (tx) => {
    const lapsed = await userSessions.endLapsed(tx, gone, {
      tokenSeconds: settings.ACCESS_TOKEN_SECONDS,
      idleSeconds,
      expiredStatus: SessionStatus.Expired,
    });
    const events = lapsed.map(({ id, accountId, tag }) => {
      const own = { SessionId: id, UserId: accountId, ...tagFact(tag) };
      return newEvent('session.ended', { ...own, Status: SessionStatus.Expired, Reason: 'expired' });
    });
    await outbox.add(tx, events);
    countOnCommit(deps, tx, 'session.expired', lapsed.length);
    return lapsed.map(({ id }) => id);
  });
  await publishSessions(deps, ended);
  return ended.length;
}

/** Those that have expired in the cache, too: pings may not be written yet. For the others, they are now. */
async function withoutLiving(
  deps: SessionDeps,
  candidates: readonly { accountId: string; sessionId: string }[],
): Promise<string[]> {
  const present = await readPresence(deps, candidates);
  const seen = [...present.values()].map(({ session }) => lastSeenOf(session));
  await saveLastSeen(deps, seen);
  return candidates.map(({ sessionId }) => sessionId).filter((id) => !present.has(id));
}

/** Writes to Postgres when sessions were last seen. */
export function saveLastSeen({ db }: Pick<SessionDeps, 'db'>, seen: readonly LastSeen[]): Promise<void> {
  return inBatches(seen, (part) => userSessions.saveLastSeen(db, part));
}
