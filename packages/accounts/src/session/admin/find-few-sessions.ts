import { isActive, type EndReason, type SessionStatus } from '@gatehouse/schema';
import { fewSessions, isNetwork, type Db, type SessionConditions } from '@gatehouse/db';

/** More sessions than this are not looked up one by one. */
const LOOKED_UP_MAX = 5000;

/**
 * If few sessions match one of the conditions: these sessions, to which the search is then limited. `undefined` if many
 * match each of the conditions, because scanning the list then finds matches soon.
 */
export async function findFew(db: Db, conditions: SessionConditions): Promise<string[] | undefined> {
  const { accountIds, online, ipAddress, deviceName, ssoProvider } = conditions;
  const { endReasons, endedFrom, endedTo, lastSeenBefore } = conditions;
  if (accountIds !== undefined) return undefined;
  const max = LOOKED_UP_MAX + 1;
  // The type of statuses is defined in the schema package; the table's check allows only its values.
  const isOfActive = conditions.status !== undefined && isActive(conditions.status as SessionStatus);
  const found = await Promise.all([
    online?.is === true ? fewSessions.findOnlineIds(db, online.windowSeconds, max) : undefined,
    ipAddress !== undefined && isNetwork(ipAddress)
      ? fewSessions.findNetworkIds(db, ipAddress, max)
      : undefined,
    deviceName === undefined ? undefined : fewSessions.findIdsOf(db, 'device_name', deviceName, max),
    ssoProvider === undefined ? undefined : fewSessions.findIdsOf(db, 'sso_provider', ssoProvider, max),
    endReasons === undefined ? undefined : findOfReasons(db, endReasons, max),
    endedFrom !== undefined && endedTo !== undefined
      ? fewSessions.findEndedIds(db, { from: endedFrom, to: endedTo }, max)
      : undefined,
    lastSeenBefore !== undefined && isOfActive ? fewSessions.findIdleIds(db, lastSeenBefore, max) : undefined,
  ]);
  const few = found.filter((ids) => ids !== undefined && ids.length <= LOOKED_UP_MAX);
  return few.toSorted((one, other) => (one?.length ?? 0) - (other?.length ?? 0))[0];
}

async function findOfReasons(db: Db, reasons: readonly EndReason[], max: number): Promise<string[]> {
  const found = await Promise.all(
    reasons.map((reason) => fewSessions.findIdsOf(db, 'end_reason', reason, max)),
  );
  return found.flat();
}
