import { isActive, type EndReason, type SessionStatus } from '@gatehouse/schema';
import { searchedOf } from '../account/account-filter.ts';
import { LAST_ID } from '../postgres/last-id.ts';
import { ID_SLACK_MS, lowestIdAt } from '../postgres/lowest-id-at.ts';
import { textMatch } from '../search/text-match.ts';

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

/** Splits the conditions; `driver` is the one that probably matches the fewest sessions. */
export function plan(conditions: SessionConditions): { driver: string | undefined; others: string[] } {
  const { sessionIds, contentDefinitionId } = conditions;
  const isOfActive = conditions.online?.is === true || hasActiveStatus(conditions);
  const [driver, ...rest] = [
    ...(sessionIds === undefined ? [] : [IS_NAMED]),
    ...indexed(conditions),
    ...(contentDefinitionId === undefined ? [] : [isOfActive ? IS_WATCHING_NOW : IS_WATCHING]),
    ...(conditions.status === undefined ? [] : [HAS_STATUS]),
  ];
  return { driver, others: [...rest, ...unindexed(conditions), ...onlineOf(conditions)] };
}

/**
 * All conditions combined, for counting; for an active status, with the condition that selects the indexes of active
 * sessions.
 */
export function allConditions(conditions: SessionConditions): string[] {
  const { driver, others } = plan(conditions);
  return [
    ...(driver === undefined ? [] : [driver]),
    ...others,
    ...(hasActiveStatus(conditions) ? ['s.ended_at is null'] : []),
  ];
}

/**
 * The conditions that Postgres can always decide, and those whose data it gets late: who is online, and what is
 * watched.
 */
export function splitConditions(conditions: SessionConditions): { immediate: string[]; delayed: string[] } {
  const { sessionIds, contentDefinitionId, status } = conditions;
  return {
    immediate: [
      ...(sessionIds === undefined ? [] : [IS_NAMED]),
      ...indexed(conditions),
      ...(status === undefined ? [] : [HAS_STATUS]),
      ...unindexed(conditions),
    ],
    delayed: [...(contentDefinitionId === undefined ? [] : [IS_WATCHING]), ...onlineOf(conditions)],
  };
}

const IS_NAMED = 's.id = any(cast(:sessionIds as uuid[]))';
const IS_WATCHING = 's.content_definition_id = :contentDefinitionId';
/** Active sessions that watch something have a separate index: most sessions that ever watched it have ended. */
const IS_WATCHING_NOW = `(${IS_WATCHING} and s.ended_at is null)`;
const HAS_STATUS = 's.status = :status';

/** Whether the requested status is one of active sessions, as defined by the table's check. */
function hasActiveStatus({ status }: SessionConditions): boolean {
  // The type of statuses is defined in the schema package; the table's check allows only its values.
  return status !== undefined && isActive(status as SessionStatus);
}

/** Conditions on columns that have an index in list order. */
function indexed({
  accountIds,
  ipAddress,
  deviceName,
  ssoProvider,
  endReasons,
}: SessionConditions): string[] {
  return [
    ...(accountIds === undefined ? [] : ['s.account_id = any(cast(:accountIds as uuid[]))']),
    ...(ipAddress === undefined || isNetwork(ipAddress) ? [] : ['s.ip_address = cast(:ipAddress as inet)']),
    ...(deviceName === undefined ? [] : ['s.device_name = :deviceName']),
    ...(ssoProvider === undefined ? [] : ['s.sso_provider = :ssoProvider']),
    ...(endReasons?.length === 1 ? ['s.end_reason = :endReason'] : []),
  ];
}

function unindexed({
  search,
  ipAddress,
  endReasons,
  createdFrom,
  createdTo,
  endedFrom,
  endedTo,
  lastSeenBefore,
}: SessionConditions): string[] {
  return [
    ...(search === undefined ? [] : [searchOf(search).condition]),
    ...(ipAddress !== undefined && isNetwork(ipAddress) ? [IS_IN_NETWORK] : []),
    ...(endReasons === undefined || endReasons.length === 1
      ? []
      : ['s.end_reason = any(cast(:endReasons as text[]))']),
    ...(createdFrom === undefined
      ? []
      : ['s.created_at >= :createdFrom', 's.id >= cast(:createdFromId as uuid)']),
    ...(createdTo === undefined ? [] : ['s.created_at < :createdTo', 's.id < cast(:createdToId as uuid)']),
    ...(endedFrom === undefined ? [] : ['s.ended_at >= :endedFrom']),
    ...(endedTo === undefined ? [] : ['s.ended_at < :endedTo']),
    ...(lastSeenBefore === undefined ? [] : ['s.last_seen_at < :lastSeenBefore']),
  ];
}

function onlineOf({ online }: SessionConditions): string[] {
  return online === undefined ? [] : [online.is ? IS_ONLINE : `(${IS_ONLINE}) is not true`];
}

function searchOf(text: string) {
  return textMatch(searchedOf('a'), text);
}

export const IS_ONLINE =
  '(s.ended_at is null and s.last_pinged_at > now() - make_interval(secs => :windowSeconds))';
/** A range of the index of addresses, which are stored as single addresses. */
export const IS_IN_NETWORK = `(
  s.ip_address >= cast(host(network(cast(:ipAddress as inet))) as inet)
  and s.ip_address <= cast(host(broadcast(cast(:ipAddress as inet))) as inet))`;

/** Whether the text is a network instead of a single address. */
export function isNetwork(ipAddress: string): boolean {
  return ipAddress.includes('/');
}

export function bindingsOf({ search, online, ...same }: SessionConditions) {
  const { createdFrom, createdTo, endReasons } = same;
  return {
    ...same,
    part: search === undefined ? undefined : searchOf(search).part,
    windowSeconds: online?.windowSeconds,
    endReason: endReasons?.[0],
    createdFromId: createdFrom && lowestIdAt(createdFrom.getTime() - ID_SLACK_MS),
    createdToId: createdTo && lowestIdAt(createdTo.getTime() + ID_SLACK_MS),
  };
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
