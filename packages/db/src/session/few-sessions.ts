import { query, type Binding, type Executor } from '../postgres/connect.ts';
import {
  hasActiveStatus,
  IS_IN_NETWORK,
  IS_ONLINE,
  isNetwork,
  type SessionConditions,
} from './session-conditions.ts';

/** More sessions than this are not looked up one by one. */
const LOOKED_UP_MAX = 5000;

/**
 * If few sessions match one of the conditions: these sessions, to which the search is then limited. `undefined` if many
 * match each of the conditions, because scanning the list then finds matches soon.
 */
export async function findFew(
  executor: Executor,
  conditions: SessionConditions,
): Promise<string[] | undefined> {
  const { accountIds, online, ipAddress, deviceName, ssoProvider } = conditions;
  const { endReasons, endedFrom, endedTo, lastSeenBefore } = conditions;
  if (accountIds !== undefined) return undefined;
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

/** Sessions that match, and one more than `LOOKED_UP_MAX` at most. */
async function findIds(
  executor: Executor,
  where: string,
  bindings: Readonly<Record<string, Binding>>,
): Promise<string[]> {
  const sql = `select s.id from user_session s where ${where} limit :max`;
  const rows = await query<{ id: string }>(executor, sql, { ...bindings, max: LOOKED_UP_MAX + 1 });
  return rows.map(({ id }) => id);
}
