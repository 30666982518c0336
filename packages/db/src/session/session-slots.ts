import { IS_NOT_OVER, OWN_LIVES } from '../oauth/client-sessions.ts';
import { statement, txStatement } from '../postgres/statements.ts';

/** An active session, as far as Postgres knows, or a grant without one, and the slot that it takes. Times in epoch seconds. */
export interface HeldSlot {
  sessionId: string;
  tag: string;
  slot: number;
  isExclusive: boolean;
  /** An application has it without a session: `sessionId` is its own id. */
  isGrant: boolean;
  deviceName: string | null;
  userAgent: string | null;
  lastSeenAt: number;
  expiresAt: number;
  now: number;
}

/** The active sessions of an account, at most `max`, oldest first. */
export const findActive = statement.rows<
  { sessionId: string; accountId: string; tag: string },
  [accountId: string, max: number]
>(`select id as "sessionId", account_id as "accountId", tag
  from user_session
  where account_id = ? and ended_at is null
  order by id
  limit ?`);

/** The active sessions of accounts. Lock the accounts first. */
export const findHeld = txStatement.rows<OwnedSlot, [accountIds: readonly string[]]>(`
  select id as "sessionId", account_id as "accountId", tag, slot, is_exclusive as "isExclusive", false as "isGrant",
    device_name as "deviceName", user_agent as "userAgent",
    extract(epoch from last_seen_at)::float8 as "lastSeenAt", extract(epoch from expires_at)::float8 as "expiresAt",
    extract(epoch from now())::float8 as now
  from user_session
  where account_id = any(cast(? as uuid[])) and ended_at is null
  order by id`);

/** The grants of accounts whose applications have one of these tags. They have no number. Lock the accounts first. */
export const findHeldByGrants = txStatement.rows<
  OwnedSlot,
  { accountIds: readonly string[]; tags: readonly string[]; grantIdleSeconds: number }
>(`select cs.id as "sessionId", cs.account_id as "accountId", c.session_tag as tag, 0 as slot,
    false as "isExclusive", true as "isGrant", c.name as "deviceName", cs.user_agent as "userAgent",
    extract(epoch from cs.last_seen_at)::float8 as "lastSeenAt", 'infinity'::float8 as "expiresAt",
    extract(epoch from now())::float8 as now
  from client_session cs
  join oauth_client c on c.id = cs.client_id and c.session_tag = any(cast(:tags as text[]))
  where cs.account_id = any(cast(:accountIds as uuid[])) and cs.session_id is null
    and ${OWN_LIVES} and ${IS_NOT_OVER}
  order by cs.id`);

type OwnedSlot = HeldSlot & { accountId: string };
