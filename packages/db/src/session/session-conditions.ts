import { isActive, type SessionStatus } from '@gatehouse/schema';
import { searchedOf } from '../account/account-filter.ts';
import { LAST_ID } from '../postgres/last-id.ts';
import { ID_SLACK_MS, leastIdAt } from '../postgres/least-id-at.ts';
import { textMatch } from '../search/text-match.ts';

/** Which sessions are asked for; every condition that is given must hold. */
export interface SessionConditions {
  sessionIds?: readonly string[] | undefined;
  accountIds?: readonly string[] | undefined;
  contentDefinitionId?: string | undefined;
  status?: number | undefined;
  /** A part of the account's email or name, whatever the case. */
  search?: string | undefined;
  /** Whether it was pinged within this number of seconds, according to Postgres. */
  online?: { is: boolean; windowSeconds: number } | undefined;
  /** Of the client at the login: an address, or a network of them as CIDR (RFC 4632). */
  ipAddress?: string | undefined;
  ssoProvider?: string | undefined;
  /** The whole name. */
  deviceName?: string | undefined;
  /** Begun at this moment or later. */
  createdFrom?: Date | undefined;
  /** Begun before this moment. */
  createdTo?: Date | undefined;
  /** Ended at this moment or later. */
  endedFrom?: Date | undefined;
  /** Ended before this moment. */
  endedTo?: Date | undefined;
  /** Not seen since, according to Postgres, which may learn of pings some seconds late. */
  lastSeenBefore?: Date | undefined;
}

/** The condition that is likely to leave the fewest comes first. */
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

/** All conditions at once, for counting; of active sessions, by the indexes of these alone. */
export function allConditions(conditions: SessionConditions): string[] {
  const { driver, others } = plan(conditions);
  return [
    ...(driver === undefined ? [] : [driver]),
    ...others,
    ...(hasActiveStatus(conditions) ? ['s.ended_at is null'] : []),
  ];
}

/** The conditions that Postgres can decide at once, and those that it learns late: who is online, what is watched. */
export function knownAndHeard(conditions: SessionConditions): { known: string[]; heard: string[] } {
  const { sessionIds, contentDefinitionId, status } = conditions;
  return {
    known: [
      ...(sessionIds === undefined ? [] : [IS_NAMED]),
      ...indexed(conditions),
      ...(status === undefined ? [] : [HAS_STATUS]),
      ...unindexed(conditions),
    ],
    heard: [...(contentDefinitionId === undefined ? [] : [IS_WATCHING]), ...onlineOf(conditions)],
  };
}

const IS_NAMED = 's.id = any(cast(:sessionIds as uuid[]))';
const IS_WATCHING = 's.content_definition_id = :contentDefinitionId';
/** Active sessions that watch something have an index of their own: most that ever watched it have ended. */
const IS_WATCHING_NOW = `(${IS_WATCHING} and s.ended_at is null)`;
const HAS_STATUS = 's.status = :status';

/** Whether only active sessions are asked for by their status, as the table's check has it. */
function hasActiveStatus({ status }: SessionConditions): boolean {
  // The type of statuses is the schema's; the table's check keeps to it.
  return status !== undefined && isActive(status as SessionStatus);
}

/** Those of a single value, which an index has in the order of the list. */
function indexed({ accountIds, ipAddress, deviceName, ssoProvider }: SessionConditions): string[] {
  return [
    ...(accountIds === undefined ? [] : ['s.account_id = any(cast(:accountIds as uuid[]))']),
    ...(ipAddress === undefined || isNetwork(ipAddress) ? [] : ['s.ip_address = cast(:ipAddress as inet)']),
    ...(deviceName === undefined ? [] : ['s.device_name = :deviceName']),
    ...(ssoProvider === undefined ? [] : ['s.sso_provider = :ssoProvider']),
  ];
}

function unindexed({
  search,
  ipAddress,
  createdFrom,
  createdTo,
  endedFrom,
  endedTo,
  lastSeenBefore,
}: SessionConditions): string[] {
  return [
    ...(search === undefined ? [] : [searchOf(search).condition]),
    ...(ipAddress !== undefined && isNetwork(ipAddress) ? [IS_IN_NETWORK] : []),
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
/** A range of the index of addresses, which are stored as single ones. */
export const IS_IN_NETWORK = `(
  s.ip_address >= cast(host(network(cast(:ipAddress as inet))) as inet)
  and s.ip_address <= cast(host(broadcast(cast(:ipAddress as inet))) as inet))`;

/** Whether it is a network that has more addresses than one. */
export function isNetwork(ipAddress: string): boolean {
  return ipAddress.includes('/');
}

export function bindingsOf({ search, online, ...same }: SessionConditions) {
  const { createdFrom, createdTo } = same;
  return {
    ...same,
    part: search === undefined ? undefined : searchOf(search).part,
    windowSeconds: online?.windowSeconds,
    createdFromId: createdFrom && leastIdAt(createdFrom.getTime() - ID_SLACK_MS),
    createdToId: createdTo && leastIdAt(createdTo.getTime() + ID_SLACK_MS),
  };
}

/**
 * The part of the list in which sessions of these times are: none begins much before the moment of its identifier, and
 * what was last seen, or ended, before a moment began before it.
 */
export function idRangeOf({ createdFrom, createdTo, endedTo, lastSeenBefore }: SessionConditions): {
  fromId: string;
  beforeId: string;
} {
  const ends = [createdTo, endedTo, lastSeenBefore].filter((moment) => moment !== undefined).map(Number);
  return {
    fromId: createdFrom === undefined ? FIRST_ID : leastIdAt(createdFrom.getTime() - ID_SLACK_MS),
    beforeId: ends.length === 0 ? LAST_ID : leastIdAt(Math.min(...ends) + ID_SLACK_MS),
  };
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
