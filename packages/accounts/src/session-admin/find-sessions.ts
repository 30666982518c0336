import { type Reading } from '@gatehouse/session-cache';
import { isActive, type SessionStatus } from '@gatehouse/schema';
import {
  idRangeOf,
  LAST_ID,
  leastIdAt,
  sessionAdmin,
  type SessionConditions,
  type SessionRecord,
} from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import { countRows, type Counted } from '../count-rows.ts';
import type { PresenceDeps } from '../deps.ts';
import { isOnline, readPresence } from '../session/presence.ts';
import { findFew } from './find-few-sessions.ts';
import { narrow } from './narrow-sessions.ts';
import { CHANGED_MAX } from './session-change.ts';
import type { SeenSession, SessionFilter } from './session-filter.ts';

/** How many sessions are held to their cached copies before a change. */
const CANDIDATES_MAX = 10_000;
/** How often one page looks on before it is handed out short. */
const LOOKS_MAX = 4;
/** How long after its login Postgres may not have heard yet who is online and what is watched. */
const FRESH_SECONDS = 300;

/**
 * Up to `max` sessions that fit, newest first, from behind `beforeId` on. `nextBeforeId`: where to look on, also
 * where fewer were found, as only so many are looked through at a time; `undefined` at the end.
 */
export async function findSessions(
  deps: PresenceDeps,
  filter: SessionFilter,
  { beforeId = LAST_ID, max }: { beforeId: string | undefined; max: number },
): Promise<{ sessions: SeenSession[]; nextBeforeId: string | undefined }> {
  const none = { sessions: [], nextBeforeId: undefined };
  const { status } = filter;
  if (filter.isOnline === true && status !== undefined && !isActive(status)) return none;
  const conditions = await narrow(deps, filter);
  if (conditions.accountIds?.length === 0) return none;

  const sessions: SeenSession[] = [];
  let nextBeforeId: string | undefined = beforeId;
  for (let look = 0; look < LOOKS_MAX && nextBeforeId !== undefined && sessions.length <= max; look += 1) {
    // One too many says that there is more.
    const found = await findSome(deps, conditions, { beforeId: nextBeforeId, max: max + 1 });
    sessions.push(...(await seen(deps, found.sessions)).filter((session) => fits(session, filter)));
    ({ nextBeforeId } = found);
  }
  if (sessions.length <= max) return { sessions, nextBeforeId };
  const page = sessions.slice(0, max);
  return { sessions: page, nextBeforeId: page.at(-1)?.id };
}

/** How many sessions match, according to Postgres; `undefined` if counting takes too long. */
export async function countSessions(
  deps: PresenceDeps,
  filter: SessionFilter,
  deadline: Deadline,
): Promise<Counted | undefined> {
  return countRows(deps, sessionAdmin.rowsOf(await narrow(deps, filter)), deadline);
}

/** The sessions as they stand now. */
export async function seen<R extends SeenInPart>(
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

/** What of a session its cached copy may know better, and what that is found by. */
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
  /** Whether all of them have ended; else all are active. */
  isEnded: boolean;
  /** The status that each must have still when it is changed. */
  status: SessionStatus | undefined;
}

/**
 * The sessions that match: ended ones if the filter names a status of ended sessions, else active ones; `undefined`
 * when there are more than one change may target.
 */
export async function findTargetSessions(
  deps: PresenceDeps,
  filter: SessionFilter,
): Promise<TargetSessions | undefined> {
  const conditions = await narrow(deps, filter);
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
    ? (await seen(deps, found)).filter((session) => fits(session, filter))
    : found;
  if (targets.length > CHANGED_MAX) return undefined;
  const accountIds = [...new Set(targets.map(({ accountId }) => accountId))];
  return { ids: targets.map(({ id }) => id), accountIds, isEnded, status };
}

/**
 * One lookup. Postgres learns some seconds late who is online and what is watched, so recent sessions are checked in
 * the cache; older ones by what Postgres has.
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
    const fresh = await sessionAdmin.findStretch(deps.db, known, { ...inRange, fromId });
    return { ...fresh, nextBeforeId: fresh.nextBeforeId ?? fromId };
  }
  const sessionIds = conditions.sessionIds ?? (await findFew(deps.db, conditions));
  return sessionAdmin.findStretch(deps.db, { ...conditions, sessionIds }, inRange);
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

/** The least identifier (UUID version 7) of a session that began within the last `FRESH_SECONDS`. */
function freshFrom({ now }: PresenceDeps): string {
  return leastIdAt(now() - FRESH_SECONDS * 1000);
}
