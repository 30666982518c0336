import { isOnline, readPresence, type AccountsDeps } from '@gatehouse/accounts';
import { accounts, accountSearch, countRows, LAST_ID, lowestIdAt, query, sessionEvents } from '@gatehouse/db';
import type { Executor } from '@gatehouse/db';
import { CountedPage, countFields, countQuery, createPaging, pagingById, pagingQuery } from '@gatehouse/http';
import { computed, record, time, type RowOf } from '@gatehouse/kit';
import { Integers, isActive, isUuid, Nullable, SessionStatus, Type, Uuid } from '@gatehouse/schema';
import { routeOf } from '../deps.ts';
import { expiry, Session, sessionFilters, type SessionFilter } from './session-record.ts';
import { findByIds, findFew, findRange, idRangeOf, rowsOf } from './store.ts';
import type { SessionConditions, SessionInPart } from './store.ts';

const route = routeOf({ tag: 'Sessions', access: ['Admin'] });

const Status = Integers(SessionStatus, 'SessionStatus');
const paging = pagingById('UserSessionId');

const listSessions = route('GET /admin/user-session', {
  operationId: 'listSessions',
  summary: 'List sessions, newest first',
  description:
    'Includes active and ended sessions; filters are combined with AND. A page can be short or empty and ' +
    'still have a `NextCursor`. Invitations are not sessions; see `/admin/invitation`.',
  query: Type.Object({ ...pagingQuery(), ...countQuery(), ...sessionFilters.query }),
  response: CountedPage(Session.Answer),
  handler: ({ query: asked, deps, request }) => {
    const filter = sessionFilters.ofQuery(asked);
    return paging.answer(asked, {
      find: (page) => findSessions(deps, filter, page),
      count: async () => countRows(deps, rowsOf(await conditionsFor(deps, filter)), request),
      items: (rows) => rows.map(Session.answer),
    });
  },
});

/** A session changes a few times in its life; a longer history is truncated. */
const HISTORY_MAX = 500;

const HistoryLine = record(
  'session_event',
  {
    status: Status,
    changedAt: time(),
    changedBy: Nullable(Uuid(), {
      description: 'The account that made the change (the owner or an administrator); null for the system',
    }),
    reason: Type.String(),
  },
  { name: 'SessionHistoryEntry' },
);

const getSession = route('GET /admin/user-session/:id', {
  operationId: 'getSession',
  summary: 'Get a session with its history',
  description: `Ended sessions are kept. \`History\` contains the last ${HISTORY_MAX} changes, oldest first.`,
  response: Type.Object({ ...Session.properties, History: Type.Array(HistoryLine.Answer) }),
  errors: ['not_found'],
  handler: async ({ params: { id }, deps, refuse }) => {
    const [session] = await withCurrentState(deps, await findByIds(deps.db, [id]));
    if (session === undefined) throw refuse('not_found', 'Session not found');
    const newest = 'where session_id = ? order by seq desc limit ?';
    const history = await HistoryLine.rows(deps.db, newest, [id, HISTORY_MAX]);
    return { ...Session.answer(session), History: history.toReversed().map(HistoryLine.answer) };
  },
});

export const sessionRoutes = [listSessions, getSession];

const eventFields = {
  sessionId: Type.String({
    format: 'uuid',
    description: 'The session, or an application’s part of one (`client_session`)',
  }),
  userId: computed(Uuid(), 'account_id'),
  status: Status,
  tokenExpiresAt: expiry('Latest expiry of access tokens issued for the session before the change'),
  changedAt: time(),
  reason: Type.String(),
};
const SessionEvent = record('session_event', eventFields, { name: 'SessionEvent' });

/** 64-bit numbers of Postgres, which JSON numbers cannot represent. */
const Digits = Type.String({ pattern: /^[0-9]{1,19}$/.source });
const eventPaging = createPaging(Type.Object({ Transaction: Digits, Sequence: Digits }));
const ALL_EVENTS = { sql: 'select 1 from session_event', bindings: {} };

export const listSessionEvents = route('GET /admin/session-event', {
  operationId: 'listSessionEvents',
  summary: 'List session changes',
  description:
    'Returns all changes of all sessions, oldest first, in a stable order. `NextCursor` is always ' +
    'present: a client that continues from the last one misses no change and sees none twice. Pings and ' +
    'changes of the content being watched are not included.',
  query: Type.Object({ ...pagingQuery(), ...countQuery() }),
  response: Type.Object({
    ...CountedPage(SessionEvent.Answer).properties,
    NextCursor: Type.String({ description: 'Cursor for the next request; present on the last page, too' }),
  }),
  handler: async ({ query: { cursor, limit, count }, deps, request }) => {
    const from = eventPaging.read(cursor);
    const position = from ? { xact: from.Transaction, seq: from.Sequence } : sessionEvents.BEGINNING;
    const [events, counted] = await Promise.all([
      findEvents(deps.db, position, limit),
      count === true ? countRows(deps, ALL_EVENTS, request) : undefined,
    ]);
    const { xact: Transaction, seq: Sequence } = events.at(-1) ?? position;
    return {
      Items: events.map(SessionEvent.answer),
      NextCursor: eventPaging.cursor({ Transaction, Sequence }),
      ...countFields(counted),
    };
  },
});

/**
 * Up to `max` changes after a position, in the order of their transactions. Those of transactions that began after the
 * oldest running one wait until it has ended: so a reader never misses a change that was committed late.
 */
function findEvents(executor: Executor, position: sessionEvents.EventPosition, max: number) {
  const sql = `select xact, seq, ${SessionEvent.columns}
    from session_event
    where (xact, seq) > (cast(:xact as xid8), cast(:seq as bigint))
      and xact < pg_snapshot_xmin(pg_current_snapshot())
    order by xact, seq
    limit :max`;
  return query<sessionEvents.EventPosition & RowOf<typeof eventFields>>(executor, sql, { ...position, max });
}

type PresenceDeps = Pick<AccountsDeps, 'db' | 'sessionCache' | 'settings' | 'now'>;

/** How many lookups one page makes before a shorter page is returned, and for how long it begins further ones. */
const LOOKS_MAX = 4;
const LOOKS_MS = 150;
/** For how long after a login Postgres may not know yet whether the session is online and what it watches. */
const FRESH_SECONDS = 300;

/** Newest first; a page may be shorter before the end, because only a limited number of rows is scanned. */
async function findSessions(
  deps: PresenceDeps,
  filter: SessionFilter,
  { beforeId = LAST_ID, max }: { beforeId: string | undefined; max: number },
): Promise<{ rows: Session[]; nextBeforeId: string | undefined }> {
  const none = { rows: [], nextBeforeId: undefined };
  const { status } = filter;
  if (filter.isOnline === true && status !== undefined && !isActive(status)) return none;
  const conditions = await conditionsFor(deps, filter);
  if (conditions.userIds?.length === 0) return none;

  const sessions: Session[] = [];
  let nextBeforeId: string | undefined = beforeId;
  const begunAt = performance.now();
  for (let look = 0; look < LOOKS_MAX && nextBeforeId !== undefined && sessions.length <= max; look += 1) {
    if (performance.now() - begunAt > LOOKS_MS) break;
    // One session more than a page tells whether there are more.
    const found = await findSome(deps, conditions, { beforeId: nextBeforeId, max: max + 1 });
    const current = await withCurrentState(deps, found.sessions);
    sessions.push(...current.filter((session) => fits(session, filter)));
    ({ nextBeforeId } = found);
  }
  if (sessions.length <= max) return { rows: sessions, nextBeforeId };
  const page = sessions.slice(0, max);
  return { rows: page, nextBeforeId: page.at(-1)?.id };
}

/** Recent sessions are checked in the cache: Postgres learns some seconds later who is online and watches what. */
async function findSome(
  deps: PresenceDeps,
  conditions: SessionConditions,
  { beforeId, max }: { beforeId: string; max: number },
) {
  const { online, contentDefinitionId, ...known } = conditions;
  const needsLastSeen = online !== undefined || contentDefinitionId !== undefined;
  const fromId = freshFrom(deps);
  const range = idRangeOf(conditions);
  const lowest = beforeId < range.beforeId ? beforeId : range.beforeId;
  const inRange = { fromId: range.fromId, beforeId: lowest, max };
  if (needsLastSeen && inRange.beforeId > fromId) {
    const fresh = await findRange(deps.db, known, { ...inRange, fromId });
    return { ...fresh, nextBeforeId: fresh.nextBeforeId ?? fromId };
  }
  const sessionIds = conditions.sessionIds ?? (await findFew(deps.db, conditions));
  return findRange(deps.db, { ...conditions, sessionIds }, inRange);
}

/** The lowest identifier (UUID version 7) of a session that began within the last `FRESH_SECONDS`. */
export function freshFrom({ now }: Pick<AccountsDeps, 'now'>): string {
  return lowestIdAt(now() - FRESH_SECONDS * 1000);
}

/** More accounts than this are not looked up one by one. */
const ACCOUNTS_MAX = 1000;

/** The conditions of a filter; a search that matches few accounts becomes a list of these accounts. */
export async function conditionsFor(
  { db, settings }: Pick<AccountsDeps, 'db' | 'settings'>,
  { userId, isOnline: wanted, search: typed, ...same }: SessionFilter,
): Promise<SessionConditions> {
  const search = typed?.trim() || undefined;
  const { ONLINE_WINDOW_SECONDS: windowSeconds } = settings;
  const online = wanted === undefined ? undefined : { is: wanted, windowSeconds };
  const known = { ...same, online, userIds: userId === undefined ? undefined : [userId] };
  if (search === undefined) return known;
  const named = isUuid(search) ? await findNamed(db, search.toLowerCase(), userId) : undefined;
  if (named !== undefined) return { ...known, ...named };
  if (userId !== undefined) return { ...known, search };
  const found = await accountSearch.findSearched(db, search, ACCOUNTS_MAX + 1);
  const isFew = found !== undefined && found.length <= ACCOUNTS_MAX;
  return isFew ? { ...known, userIds: found } : { ...known, search };
}

async function findNamed(
  executor: Executor,
  id: string,
  userId: string | undefined,
): Promise<Pick<SessionConditions, 'sessionIds' | 'userIds'> | undefined> {
  if ((await Session.find(executor, id)) !== undefined) return { sessionIds: [id] };
  if ((await accounts.findById(executor, id)) === undefined) return undefined;
  return { userIds: userId === undefined || userId === id ? [id] : [] };
}

export async function withCurrentState<R extends SessionInPart>(deps: PresenceDeps, rows: readonly R[]) {
  const active = rows.filter(({ endedAt }) => endedAt === null);
  const sessions = active.map(({ id, userId }) => ({ accountId: userId, sessionId: id }));
  const present = await readPresence(deps, sessions);
  return rows.map((row) => {
    const reading = present.get(row.id);
    if (reading === undefined) return { ...row, isOnline: false };
    const { lastSeenAt, contentDefinitionId = null } = reading.session;
    return {
      ...row,
      lastSeenAt: new Date(Math.max(Number(row.lastSeenAt), lastSeenAt * 1000)),
      contentDefinitionId,
      isOnline: isOnline(deps, reading),
    };
  });
}

export function fits(
  session: Pick<Session, 'isOnline' | 'contentDefinitionId' | 'lastSeenAt'>,
  { isOnline: wanted, contentDefinitionId, lastSeenBefore }: SessionFilter,
): boolean {
  if (wanted !== undefined && wanted !== session.isOnline) return false;
  if (lastSeenBefore !== undefined && Number(session.lastSeenAt) >= lastSeenBefore.getTime()) return false;
  return contentDefinitionId === undefined || session.contentDefinitionId === contentDefinitionId;
}
