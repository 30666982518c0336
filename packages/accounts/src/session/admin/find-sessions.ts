import { type Reading } from '@gatehouse/redis';
import { isActive, type SessionStatus } from '@gatehouse/schema';
import {
  fewSessions,
  idRangeOf,
  LAST_ID,
  lowestIdAt,
  sessionAdmin,
  type SessionConditions,
  type SessionRecord,
} from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import { CHANGED_MAX } from '../../bulk-change.ts';
import { countRows, type Counted } from '../../count-rows.ts';
import type { PresenceDeps } from '../../deps.ts';
import { isOnline, readPresence } from '../presence.ts';
import { narrowFilter } from './narrow-sessions.ts';
import type { SeenSession, SessionFilter } from './session-filter.ts';

/** How many sessions are compared with their cached copies before a change. */
const CANDIDATES_MAX = 10_000;
/** How many lookups one page makes before a shorter page is returned, and for how long it begins further ones. */
const LOOKS_MAX = 4;
const LOOKS_MS = 150;
/** For how long after a login Postgres may not know yet whether the session is online and what it watches. */
const FRESH_SECONDS = 300;

/**
 * Up to `max` matching sessions, newest first, after `beforeId`. `nextBeforeId`: where to continue; `undefined` at the
 * end. A page may be shorter than `max` before the end, because only a limited number of rows is scanned.
 */
export async function findSessions(
  deps: PresenceDeps,
  filter: SessionFilter,
  { beforeId = LAST_ID, max }: { beforeId: string | undefined; max: number },
): Promise<{ rows: SeenSession[]; nextBeforeId: string | undefined }> {
  const none = { rows: [], nextBeforeId: undefined };
  const { status } = filter;
  if (filter.isOnline === true && status !== undefined && !isActive(status)) return none;
  const conditions = await narrowFilter(deps, filter);
  if (conditions.accountIds?.length === 0) return none;

  const sessions: SeenSession[] = [];
  let nextBeforeId: string | undefined = beforeId;
  const begunAt = performance.now();
  for (let look = 0; look < LOOKS_MAX && nextBeforeId !== undefined && sessions.length <= max; look += 1) {
    if (performance.now() - begunAt > LOOKS_MS) break;
    // One session more than a page tells whether there are more.
    const found = await findSome(deps, conditions, { beforeId: nextBeforeId, max: max + 1 });
    sessions.push(
      ...(await withCurrentState(deps, found.sessions)).filter((session) => fits(session, filter)),
    );
    ({ nextBeforeId } = found);
  }
  if (sessions.length <= max) return { rows: sessions, nextBeforeId };
  const page = sessions.slice(0, max);
  return { rows: page, nextBeforeId: page.at(-1)?.id };
}

/** How many sessions match, according to Postgres; `undefined` if counting takes too long. */
export async function countSessions(
  deps: PresenceDeps,
  filter: SessionFilter,
  deadline: Deadline,
): Promise<Counted | undefined> {
  return countRows(deps, sessionAdmin.rowsOf(await narrowFilter(deps, filter)), deadline);
}

/** The sessions with their current state from the cache. */
export async function withCurrentState<R extends SeenInPart>(
  deps: PresenceDeps,
  records: readonly R[],
): Promise<(R & Pick<SeenSession, 'isOnline'>)[]> {
  const active = records.filter(({ endedAt }) => endedAt === null);
  const present = await readPresence(
    deps,
    active.map(({ id, accountId }) => ({ accountId, sessionId: id })),
  );
  return records.map((record) => withReading(deps, record, present.get(record.id)));
}

/** The fields of a session for which its cached copy may be newer, and the fields for finding that copy. */
type SeenInPart = Pick<SessionRecord, 'id' | 'accountId' | 'endedAt' | 'lastSeenAt' | 'contentDefinitionId'>;

function withReading<R extends SeenInPart>(
  deps: PresenceDeps,
  record: R,
  reading: Reading | undefined,
): R & Pick<SeenSession, 'isOnline'> {
  if (reading === undefined) return { ...record, isOnline: false };
  const { lastSeenAt, contentDefinitionId } = reading.session;
  return {
    ...record,
    lastSeenAt: new Date(Math.max(record.lastSeenAt.getTime(), lastSeenAt * 1000)),
    contentDefinitionId: contentDefinitionId ?? null,
    isOnline: isOnline(deps, reading),
  };
}

/** The sessions that a change targets, with their accounts. */
export interface TargetSessions {
  ids: readonly string[];
  accountIds: readonly string[];
  /** Whether all of them have ended; otherwise all are active. */
  isEnded: boolean;
  /** The status that each session must still have when it is changed. */
  status: SessionStatus | undefined;
}

/**
 * The matching sessions: ended sessions if the filter has a status of ended sessions, otherwise active sessions;
 * `undefined` if there are more than one change may target.
 */
export async function findTargetSessions(
  deps: PresenceDeps,
  filter: SessionFilter,
): Promise<TargetSessions | undefined> {
  const conditions = await narrowFilter(deps, filter);
  const { status, isOnline: wanted, contentDefinitionId } = filter;
  const isEnded = status !== undefined && !isActive(status);
  const found = await sessionAdmin.findCandidates(deps.db, conditions, {
    isEnded,
    freshFromId: freshFrom(deps),
    max: CANDIDATES_MAX + 1,
  });
  if (found.length > CANDIDATES_MAX) return undefined;
  const needsLastSeen = [wanted, contentDefinitionId, filter.lastSeenBefore].some((one) => one !== undefined);
  const targets = needsLastSeen
    ? (await withCurrentState(deps, found)).filter((session) => fits(session, filter))
    : found;
  if (targets.length > CHANGED_MAX) return undefined;
  const accountIds = [...new Set(targets.map(({ accountId }) => accountId))];
  return { ids: targets.map(({ id }) => id), accountIds, isEnded, status };
}

/**
 * One lookup. Postgres learns with a delay of some seconds who is online and what is watched, so recent sessions are
 * checked in the cache, and older ones in Postgres.
 */
async function findSome(
  deps: PresenceDeps,
  conditions: SessionConditions,
  { beforeId, max }: { beforeId: string; max: number },
) {
  const { online, contentDefinitionId, ...known } = conditions;
  const needsLastSeen = online !== undefined || contentDefinitionId !== undefined;
  const fromId = freshFrom(deps);
  const range = idRangeOf(conditions);
  const inRange = { fromId: range.fromId, beforeId: least(beforeId, range.beforeId), max };
  if (needsLastSeen && inRange.beforeId > fromId) {
    const fresh = await sessionAdmin.findRange(deps.db, known, { ...inRange, fromId });
    return { ...fresh, nextBeforeId: fresh.nextBeforeId ?? fromId };
  }
  const sessionIds = conditions.sessionIds ?? (await fewSessions.findFew(deps.db, conditions));
  return sessionAdmin.findRange(deps.db, { ...conditions, sessionIds }, inRange);
}

function least(one: string, other: string): string {
  return one < other ? one : other;
}

function fits(
  session: Pick<SeenSession, 'isOnline' | 'contentDefinitionId' | 'lastSeenAt'>,
  { isOnline: wanted, contentDefinitionId, lastSeenBefore }: SessionFilter,
): boolean {
  if (wanted !== undefined && wanted !== session.isOnline) return false;
  if (lastSeenBefore !== undefined && session.lastSeenAt >= lastSeenBefore) return false;
  return contentDefinitionId === undefined || session.contentDefinitionId === contentDefinitionId;
}

/** The lowest identifier (UUID version 7) of a session that began within the last `FRESH_SECONDS`. */
function freshFrom({ now }: PresenceDeps): string {
  return lowestIdAt(now() - FRESH_SECONDS * 1000);
}
