import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** An active session, as far as Postgres knows, and the slot that it takes. Times in epoch seconds. */
export interface HeldSlot {
  sessionId: string;
  tag: string;
  slot: number;
  isExclusive: boolean;
  deviceName: string | null;
  userAgent: string | null;
  lastSeenAt: number;
  expiresAt: number;
  now: number;
}

/** The active sessions of an account, at most `max`, oldest first. */
export async function findActive(
  executor: Executor,
  accountId: string,
  max: number,
): Promise<{ sessionId: string; accountId: string; tag: string }[]> {
  return await query(
    executor,
    `select id as "sessionId", account_id as "accountId", tag
     from user_session
     where account_id = ? and ended_at is null
     order by id
     limit ?`,
    [accountId, max],
  );
}

/** The active sessions of accounts. Lock the accounts first. */
export async function findHeld(tx: Transaction, accountIds: readonly string[]) {
  return await query<OwnedSlot>(
    tx,
    `select id as "sessionId", account_id as "accountId", tag, slot, is_exclusive as "isExclusive",
       device_name as "deviceName", user_agent as "userAgent",
       extract(epoch from last_seen_at)::float8 as "lastSeenAt", extract(epoch from expires_at)::float8 as "expiresAt",
       extract(epoch from now())::float8 as now
     from user_session
     where account_id = any(cast(? as uuid[])) and ended_at is null
     order by id`,
    [accountIds],
  );
}

type OwnedSlot = HeldSlot & { accountId: string };
