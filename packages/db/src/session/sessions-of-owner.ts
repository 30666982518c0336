import { ACTIVE_STATUSES, SessionStatus } from '@gatehouse/schema';
import { query, type Executor } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

/** A session as its owner sees it; its cached copy has the time when it was last seen. */
export interface OwnSession {
  id: string;
  /** Empty: none. */
  tag: string;
  deviceName: string | null;
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: Date;
}

const EARLIER_MAX = 1000;

/** The sessions of an account that have not ended, newest first, at most `max`. */
export const findActive = statement.rows<OwnSession, [accountId: string, max: number]>(`
  select id, tag, device_name as "deviceName", user_agent as "userAgent", host(ip_address) as "ipAddress",
    created_at as "createdAt"
  from user_session
  where account_id = ? and ended_at is null
  order by created_at desc, id desc
  limit ?`);

export interface EndedSession extends OwnSession {
  status: number;
  lastSeenAt: Date;
  endedAt: Date;
  endReason: string | null;
}

/** Up to `max` ended sessions of an account, latest login first, after `beforeId`. */
export const findEnded = statement.rows<
  EndedSession,
  { accountId: string; beforeId: string; max: number }
>(`select id, tag, device_name as "deviceName", user_agent as "userAgent", host(ip_address) as "ipAddress",
    created_at as "createdAt", status, last_seen_at as "lastSeenAt", ended_at as "endedAt",
    end_reason as "endReason"
  from user_session
  where account_id = :accountId and ended_at is not null and id < :beforeId
  order by id desc
  limit :max`);

/** Whose login replaced this one, in the same transaction; none if an administrator set that status. */
export const findReplacement = statement.row<
  Pick<OwnSession, 'tag' | 'deviceName' | 'userAgent' | 'createdAt'>,
  { accountId: string; sessionId: string }
>(`select newer.tag, newer.device_name as "deviceName", newer.user_agent as "userAgent",
    newer.created_at as "createdAt"
  from user_session older
  join user_session newer on newer.account_id = older.account_id and newer.created_at = older.ended_at
  where older.id = :sessionId and older.account_id = :accountId and older.end_reason = 'replaced'
  limit 1`);

export interface LoginFacts {
  isTwoFactorEnabled: boolean;
  /** No recorded session was on a device with this name and user agent. `false` if the account never logged in. */
  isNewDevice: boolean;
  /** In an active session, or in the latest one, unless that has expired. */
  isChatDisabled: boolean;
}

/** Call it after locking the account and before adding the session. */
export const findLoginFacts = txStatement.only<
  LoginFacts,
  {
    accountId: string;
    deviceName: string | undefined;
    userAgent: string | undefined;
    idleSeconds: number;
  }
>(`select
    exists (
      select 1 from two_factor where account_id = :accountId and enabled_at is not null
    ) as "isTwoFactorEnabled",
    coalesce(
      not bool_or(
        device_name is not distinct from cast(:deviceName as text)
        and user_agent is not distinct from cast(:userAgent as text)
      ),
      (select last_login_at is not null from account where id = :accountId),
      false
    ) as "isNewDevice",
    exists (
      select from user_session
      where account_id = :accountId and ended_at is null and status = ${SessionStatus.ChatDisabled}
        and expires_at > now() and last_seen_at + make_interval(secs => :idleSeconds) > now()
    ) or exists (
      select from (
        select id, end_reason from user_session where account_id = :accountId order by created_at desc limit 1
      ) latest
      where end_reason <> 'expired' and ${SessionStatus.ChatDisabled} = (
        select status from session_event
        where session_id = latest.id and status in (${ACTIVE_STATUSES.join(', ')})
        order by seq desc
        limit 1
      )
    ) as "isChatDisabled"
  from (
    select device_name, user_agent from user_session
    where account_id = :accountId
    order by created_at desc
    limit ${EARLIER_MAX}
  ) earlier`);

/** Whether it logged in from one of these addresses (or networks, as CIDR) within 90 days. */
export async function hasRecentLoginFrom(executor: Executor, accountId: string, ...addressGroups: string[]) {
  const sql = `select exists (
      select from user_session
      where account_id = ? and ip_address <<= any(cast(? as inet[])) and created_at > now() - interval '90 days'
    ) as "isKnown"`;
  return await query.onlyValue<boolean>(executor, sql, [accountId, addressGroups]);
}
