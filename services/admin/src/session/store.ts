import { isActive } from '@gatehouse/schema';
import {
  conditionsOf,
  contains,
  ID_SLACK_MS,
  LAST_ID,
  lowestIdAt,
  ordered,
  query,
  searchedOf,
  sieve,
  since,
  until,
} from '@gatehouse/db';
import type { Binding, CountableRows, Executor, Filters, FilterSql } from '@gatehouse/db';
import { Session, type SessionFilter } from './session-record.ts';

export interface SessionConditions extends Omit<SessionFilter, 'userId' | 'isOnline'> {
  sessionIds?: readonly string[] | undefined;
  userIds?: readonly string[] | undefined;
  /** Whether the session was pinged within this number of seconds, according to Postgres. */
  online?: { is: boolean; windowSeconds: number } | undefined;
}

export function findByIds(executor: Executor, sessionIds: readonly string[]): Promise<Session[]> {
  return Session.rows(executor, 'where s.id = any(cast(? as uuid[])) order by s.id desc', [sessionIds]);
}

/** How many sessions one query scans at most, which limits its time, and how many of them for frequent matches. */
const WINDOW = 10_000;
const NEAR = 1000;

/**
 * The account of each session, looked up individually (`offset 0` prevents a plain join): with a plain join, a search
 * that the index of emails and names cannot narrow down would first be applied to all accounts.
 */
const THEIR_ACCOUNTS =
  'cross join lateral (select email, display_name, role from account where id = s.account_id offset 0) a';

/**
 * Up to `max` matching sessions of the range (below `beforeId`, not below `fromId`), newest first. One condition
 * selects an index in list order; the sessions that it finds, at most `WINDOW`, are checked against the others.
 * `nextBeforeId`: where to continue; `undefined` if the whole range was scanned.
 */
export async function findRange(
  executor: Executor,
  conditions: SessionConditions,
  stretch: { beforeId: string; fromId: string; max: number },
): Promise<{ sessions: Session[]; nextBeforeId: string | undefined }> {
  const { driver, others, ...known } = plan(conditions);
  const bindings = { ...known.bindings, ...stretch };
  const inOrder = `
    select s.* from user_session s
    where s.id < :beforeId and s.id >= :fromId ${driver === undefined ? '' : `and ${driver}`}
    order by s.id desc
    limit ${others.length === 0 ? ':max' : ':window'}`;
  const sessions = await query<Session>(
    executor,
    `select ${Session.columns}
     from (${inOrder}) s
     ${THEIR_ACCOUNTS}
     ${others.length === 0 ? '' : `where ${others.join(' and ')}`}
     order by s.id desc
     limit :max`,
    { ...bindings, window: NEAR },
  );
  if (sessions.length === stretch.max) return { sessions, nextBeforeId: sessions.at(-1)?.id };
  if (others.length === 0) return { sessions, nextBeforeId: undefined };
  // The matches and the end of the window must come from one snapshot. Otherwise sessions that begin or end meanwhile
  // could move others out of the window unseen.
  const [row] = await query<{ ids: string[]; last: string | null }>(
    executor,
    `with seen as materialized (${inOrder})
     select
       array(
         select s.id from seen s ${THEIR_ACCOUNTS}
         where ${others.join(' and ')} order by s.id desc limit :max
       ) as ids,
       (select id from seen order by id desc offset :window - 1 limit 1) as last`,
    { ...bindings, window: WINDOW },
  );
  const ids = row?.ids ?? [];
  const nextBeforeId = ids.length === stretch.max ? ids.at(-1) : (row?.last ?? undefined);
  return { sessions: await findByIds(executor, ids), nextBeforeId };
}

export function rowsOf(conditions: SessionConditions): CountableRows {
  const { driver = 'true', others, bindings } = plan(conditions);
  // Selects the indexes of active sessions.
  const ofActive = hasActiveStatus(conditions) ? ['s.ended_at is null'] : [];
  const all = [driver, ...others, ...ofActive];
  // The account is needed only for a search.
  const account = conditions.search === undefined ? '' : 'join account a on a.id = s.account_id';
  return { sql: `select 1 from user_session s ${account} where ${all.join(' and ')}`, bindings };
}

/** The fields of a session for which its cached copy may be newer, and the fields for finding that copy. */
export type SessionInPart = Pick<Session, 'id' | 'userId' | 'contentDefinitionId' | 'lastSeenAt' | 'endedAt'>;

/**
 * Up to `max` matching sessions, all active or all ended, in no order. For active sessions since `freshFromId`,
 * Postgres may not know yet which are online and what they watch: all of them are included, and their cached copies
 * decide. For ended sessions, Postgres knows everything.
 */
export async function findCandidates(
  executor: Executor,
  conditions: SessionConditions,
  { isEnded, freshFromId, max }: { isEnded: boolean; freshFromId: string; max: number },
) {
  const { immediate, delayed, bindings } = splitConditions(conditions);
  const all = [isEnded ? 's.ended_at is not null' : 's.ended_at is null', ...immediate];
  if (isEnded) all.push(...delayed);
  else if (delayed.length > 0) all.push(`(s.id >= :freshFromId or (${delayed.join(' and ')}))`);
  const sql = `select s.id, s.account_id as "userId", s.content_definition_id as "contentDefinitionId",
      s.last_seen_at as "lastSeenAt", s.ended_at as "endedAt"
    from user_session s
    join account a on a.id = s.account_id
    where ${all.join(' and ')}
    limit :max`;
  return await query<SessionInPart>(executor, sql, { ...bindings, freshFromId, max });
}

/** More sessions than this are not looked up one by one. */
const LOOKED_UP_MAX = 5000;

/** Few sessions that match one condition, to which the search is limited. Otherwise a scan finds matches soon. */
export async function findFew(executor: Executor, conditions: SessionConditions) {
  const { userIds, online, ipAddress, deviceName, ssoProvider } = conditions;
  const { endReasons, endedFrom, endedTo, lastSeenBefore } = conditions;
  if (userIds !== undefined) return undefined;
  const isIdle = lastSeenBefore !== undefined && hasActiveStatus(conditions);
  const found = await Promise.all([
    online?.is === true && findIds(executor, IS_ONLINE, { windowSeconds: online.windowSeconds }),
    ipAddress !== undefined && isNetwork(ipAddress) && findIds(executor, IS_IN_NETWORK, { ipAddress }),
    deviceName !== undefined && findIdsOf(executor, 'device_name', [deviceName]),
    ssoProvider !== undefined && findIdsOf(executor, 'sso_provider', [ssoProvider]),
    endReasons !== undefined && findIdsOf(executor, 'end_reason', endReasons),
    endedFrom !== undefined &&
      endedTo !== undefined &&
      findIds(executor, 's.ended_at >= :endedFrom and s.ended_at < :endedTo', { endedFrom, endedTo }),
    isIdle && findIds(executor, IS_IDLE, { lastSeenBefore }),
  ]);
  const few = found.filter((ids) => ids !== false).filter((ids) => ids.length <= LOOKED_UP_MAX);
  return few.toSorted((one, other) => one.length - other.length)[0];
}

/** According to Postgres, the longest idle first. */
const IS_IDLE = 's.ended_at is null and s.last_seen_at < :lastSeenBefore order by s.last_seen_at';

/**
 * Sessions of a device, a provider or some end reasons, in no order. These columns have few distinct values, so in a
 * statement that it plans only once, Postgres would assume that each value is common, and scan the whole list for a
 * rare one. For this range, it can only use the column's own index.
 */
export async function findIdsOf(
  executor: Executor,
  column: 'device_name' | 'sso_provider' | 'end_reason',
  values: readonly string[],
): Promise<string[]> {
  const range = `s.${column} is not null
       and (s.${column}, s.id) >= (:value, cast('00000000-0000-0000-0000-000000000000' as uuid))
       and (s.${column}, s.id) <= (:value, cast('ffffffff-ffff-ffff-ffff-ffffffffffff' as uuid))
     order by s.${column}, s.id`;
  return (await Promise.all(values.map((value) => findIds(executor, range, { value })))).flat();
}

async function findIds(executor: Executor, where: string, bindings: Readonly<Record<string, Binding>>) {
  const sql = `select s.id from user_session s where ${where} limit :max`;
  return await query.column<string>(executor, sql, { ...bindings, max: LOOKED_UP_MAX + 1 });
}

const IS_WATCHING = 's.content_definition_id = :contentDefinitionId';
/** Active sessions that watch something have a separate index: most sessions that ever watched it have ended. */
const IS_WATCHING_NOW = `(${IS_WATCHING} and s.ended_at is null)`;
const IS_ONLINE = '(s.ended_at is null and s.last_pinged_at > now() - make_interval(secs => :windowSeconds))';
/** A range of the index of addresses, which are stored as single addresses. */
const IS_IN_NETWORK = `(
  s.ip_address >= cast(host(network(cast(:ipAddress as inet))) as inet)
  and s.ip_address <= cast(host(broadcast(cast(:ipAddress as inet))) as inet))`;

/** The conditions; the first in `ordered` is the one that probably matches the fewest sessions. */
const FILTERS: Filters<SessionConditions> = {
  sessionIds: ordered('s.id = any(cast(:sessionIds as uuid[]))'),
  userIds: ordered('s.account_id = any(cast(:userIds as uuid[]))'),
  ipAddress: (address) =>
    isNetwork(address)
      ? { sieve: [IS_IN_NETWORK] }
      : { ordered: ['s.ip_address = cast(:ipAddress as inet)'] },
  deviceName: ordered('s.device_name = :deviceName'),
  tag: ordered("(s.tag = :tag and s.tag <> '')"),
  ssoProvider: ordered('s.sso_provider = :ssoProvider'),
  endReasons: (reasons) =>
    reasons.length === 1
      ? { ordered: ['s.end_reason = :endReason'], bindings: { endReason: reasons[0] } }
      : { sieve: ['s.end_reason = any(cast(:endReasons as text[]))'] },
  contentDefinitionId: ordered(IS_WATCHING),
  status: ordered('s.status = :status'),
  search: contains(searchedOf('a')),
  // The range of ids of the list (`idRangeOf`) is used even if another condition selects the index.
  createdFrom: asSieve(since('s.created_at', 's.id')),
  createdTo: asSieve(until('s.created_at', 's.id')),
  endedFrom: sieve('s.ended_at >= :endedFrom'),
  endedTo: sieve('s.ended_at < :endedTo'),
  lastSeenBefore: sieve('s.last_seen_at < :lastSeenBefore'),
  online: ({ is, windowSeconds }) => ({
    sieve: [is ? IS_ONLINE : `(${IS_ONLINE}) is not true`],
    bindings: { windowSeconds },
  }),
};

/** Splits the conditions; `driver` is the one that probably matches the fewest sessions. */
function plan(conditions: SessionConditions) {
  const isOfActive = conditions.online?.is === true || hasActiveStatus(conditions);
  const filters = isOfActive ? { ...FILTERS, contentDefinitionId: ordered(IS_WATCHING_NOW) } : FILTERS;
  const { ordered: selecting, sieve: others, bindings } = conditionsOf(filters, conditions);
  const [driver, ...rest] = selecting;
  return { driver, others: [...rest, ...others], bindings };
}

/** What Postgres can always decide, and what it learns late: who is online, and what is watched. */
function splitConditions({ contentDefinitionId, online, ...known }: SessionConditions) {
  const immediate = plan(known);
  const delayed = conditionsOf(FILTERS, { contentDefinitionId, online });
  return {
    immediate: [immediate.driver ?? 'true', ...immediate.others],
    delayed: [...delayed.ordered, ...delayed.sieve],
    bindings: { ...immediate.bindings, ...delayed.bindings },
  };
}

function hasActiveStatus({ status }: SessionConditions): boolean {
  return status !== undefined && isActive(status);
}

function asSieve(sqlOf: (moment: Date, name: string) => FilterSql) {
  return (moment: Date, name: string): FilterSql => {
    const { ordered: range = [], sieve: times = [], bindings } = sqlOf(moment, name);
    return { sieve: [...times, ...range], ...(bindings && { bindings }) };
  };
}

function isNetwork(ipAddress: string): boolean {
  return ipAddress.includes('/');
}

/** An id has about the time of the beginning; what ended or was last seen before some time also began before it. */
export function idRangeOf({ createdFrom, createdTo, endedTo, lastSeenBefore }: SessionConditions) {
  const ends = [createdTo, endedTo, lastSeenBefore].filter((moment) => moment !== undefined).map(Number);
  return {
    fromId: createdFrom === undefined ? FIRST_ID : lowestIdAt(createdFrom.getTime() - ID_SLACK_MS),
    beforeId: ends.length === 0 ? LAST_ID : lowestIdAt(Math.min(...ends) + ID_SLACK_MS),
  };
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
