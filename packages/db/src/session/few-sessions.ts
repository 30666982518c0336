import { query, type Executor } from '../postgres/connect.ts';
import { IS_IN_NETWORK, IS_ONLINE } from './session-conditions.ts';

/** Up to `max` sessions that were pinged within this number of seconds, according to Postgres; in no order. */
export async function findOnlineIds(
  executor: Executor,
  windowSeconds: number,
  max: number,
): Promise<string[]> {
  const sql = `select s.id from user_session s where ${IS_ONLINE} limit :max`;
  const rows = await query<{ id: string }>(executor, sql, { windowSeconds, max });
  return rows.map(({ id }) => id);
}

/** Up to `max` sessions whose login came from an address of the network, in no order. */
export async function findNetworkIds(executor: Executor, ipAddress: string, max: number): Promise<string[]> {
  const sql = `select s.id from user_session s where ${IS_IN_NETWORK} limit :max`;
  const rows = await query<{ id: string }>(executor, sql, { ipAddress, max });
  return rows.map(({ id }) => id);
}

/**
 * Up to `max` sessions of a device, a provider or an end reason, in no order. These columns have few distinct values, so in a
 * statement that it plans only once, Postgres would assume that each value is common, and scan the whole list for a
 * rare one. For this range, it can only use the column's own index.
 */
export async function findIdsOf(
  executor: Executor,
  column: 'device_name' | 'sso_provider' | 'end_reason',
  value: string,
  max: number,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    executor,
    `select s.id
     from user_session s
     where s.${column} is not null
       and (s.${column}, s.id) >= (:value, cast('00000000-0000-0000-0000-000000000000' as uuid))
       and (s.${column}, s.id) <= (:value, cast('ffffffff-ffff-ffff-ffff-ffffffffffff' as uuid))
     order by s.${column}, s.id
     limit :max`,
    { value, max },
  );
  return rows.map(({ id }) => id);
}

/** Up to `max` sessions that ended between two times, in no order. */
export async function findEndedIds(
  executor: Executor,
  between: { from: Date; to: Date },
  max: number,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    executor,
    'select s.id from user_session s where s.ended_at >= :from and s.ended_at < :to limit :max',
    { ...between, max },
  );
  return rows.map(({ id }) => id);
}

/** Up to `max` active sessions not seen since a time, according to Postgres, the longest idle first. */
export async function findIdleIds(executor: Executor, since: Date, max: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    executor,
    `select s.id
     from user_session s
     where s.ended_at is null and s.last_seen_at < ?
     order by s.last_seen_at
     limit ?`,
    [since, max],
  );
  return rows.map(({ id }) => id);
}
