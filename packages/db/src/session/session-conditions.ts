import { isActive, type EndReason, type SessionStatus } from '@gatehouse/schema';
import { searchedOf } from '../account/account-filter.ts';
import { LAST_ID } from '../postgres/last-id.ts';
import { ID_SLACK_MS, lowestIdAt } from '../postgres/lowest-id-at.ts';
import {
  conditionsOf,
  contains,
  ordered,
  sieve,
  since,
  until,
  type Filters,
  type FilterSql,
} from '../search/filters.ts';

/** Which sessions are requested; a session must meet all given conditions. */
export interface SessionConditions {
  sessionIds?: readonly string[] | undefined;
  accountIds?: readonly string[] | undefined;
  contentDefinitionId?: string | undefined;
  status?: number | undefined;
  /** A part of the account's email or name, case-insensitive. */
  search?: string | undefined;
  /** Whether the session was pinged within this number of seconds, according to Postgres. */
  online?: { is: boolean; windowSeconds: number } | undefined;
  /** The client's address at the login: a single address, or a network as CIDR (RFC 4632). */
  ipAddress?: string | undefined;
  ssoProvider?: string | undefined;
  /** The full name. */
  deviceName?: string | undefined;
  tag?: string | undefined;
  /** Ended for one of these reasons. */
  endReasons?: readonly EndReason[] | undefined;
  /** Begun at this time or later. */
  createdFrom?: Date | undefined;
  /** Begun before this time. */
  createdTo?: Date | undefined;
  /** Ended at this time or later. */
  endedFrom?: Date | undefined;
  /** Ended before this time. */
  endedTo?: Date | undefined;
  /** Not seen since this time, according to Postgres, where pings are recorded some seconds late. */
  lastSeenBefore?: Date | undefined;
}

const IS_WATCHING = 's.content_definition_id = :contentDefinitionId';
/** Active sessions that watch something have a separate index: most sessions that ever watched it have ended. */
const IS_WATCHING_NOW = `(${IS_WATCHING} and s.ended_at is null)`;
export const IS_ONLINE =
  '(s.ended_at is null and s.last_pinged_at > now() - make_interval(secs => :windowSeconds))';
/** A range of the index of addresses, which are stored as single addresses. */
export const IS_IN_NETWORK = `(
  s.ip_address >= cast(host(network(cast(:ipAddress as inet))) as inet)
  and s.ip_address <= cast(host(broadcast(cast(:ipAddress as inet))) as inet))`;

/** The conditions; the first in `ordered` is the one that probably matches the fewest sessions. */
const FILTERS: Filters<SessionConditions> = {
  sessionIds: ordered('s.id = any(cast(:sessionIds as uuid[]))'),
  accountIds: ordered('s.account_id = any(cast(:accountIds as uuid[]))'),
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
export function plan(conditions: SessionConditions) {
  const isOfActive = conditions.online?.is === true || hasActiveStatus(conditions);
  const filters = isOfActive ? { ...FILTERS, contentDefinitionId: ordered(IS_WATCHING_NOW) } : FILTERS;
  const { ordered: selecting, sieve: others, bindings } = conditionsOf(filters, conditions);
  const [driver, ...rest] = selecting;
  return { driver, others: [...rest, ...others], bindings };
}

/**
 * All conditions combined, for counting; for an active status, with the condition that selects the indexes of active
 * sessions.
 */
export function allConditions(conditions: SessionConditions) {
  const { driver = 'true', others, bindings } = plan(conditions);
  const ofActive = hasActiveStatus(conditions) ? ['s.ended_at is null'] : [];
  return { all: [driver, ...others, ...ofActive], bindings };
}

/**
 * The conditions that Postgres can always decide, and those whose data it gets late: who is online, and what is
 * watched.
 */
export function splitConditions({ contentDefinitionId, online, ...known }: SessionConditions) {
  const immediate = plan(known);
  const delayed = conditionsOf(FILTERS, { contentDefinitionId, online });
  return {
    immediate: [immediate.driver ?? 'true', ...immediate.others],
    delayed: [...delayed.ordered, ...delayed.sieve],
    bindings: { ...immediate.bindings, ...delayed.bindings },
  };
}

/** Whether the requested status is one of active sessions, as defined by the table's check. */
export function hasActiveStatus({ status }: SessionConditions): boolean {
  // The type of statuses is defined in the schema package; the table's check allows only its values.
  return status !== undefined && isActive(status as SessionStatus);
}

function asSieve(
  sqlOf: (moment: Date, name: string) => FilterSql,
): (moment: Date, name: string) => FilterSql {
  return (moment, name) => {
    const { ordered: range = [], sieve: times = [], bindings } = sqlOf(moment, name);
    return { sieve: [...times, ...range], ...(bindings && { bindings }) };
  };
}

/** Whether the text is a network instead of a single address. */
export function isNetwork(ipAddress: string): boolean {
  return ipAddress.includes('/');
}

/**
 * The range of ids in which sessions of these times are. A session's id has about the time of its beginning, and a
 * session that ended or was last seen before some time also began before it.
 */
export function idRangeOf({ createdFrom, createdTo, endedTo, lastSeenBefore }: SessionConditions): {
  fromId: string;
  beforeId: string;
} {
  const ends = [createdTo, endedTo, lastSeenBefore].filter((moment) => moment !== undefined).map(Number);
  return {
    fromId: createdFrom === undefined ? FIRST_ID : lowestIdAt(createdFrom.getTime() - ID_SLACK_MS),
    beforeId: ends.length === 0 ? LAST_ID : lowestIdAt(Math.min(...ends) + ID_SLACK_MS),
  };
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
