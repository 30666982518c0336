import { disabledNow } from '../account/ban.ts';
import { query, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';
import type { Authentication } from './authentication.ts';

/** The active sessions that a change applies to. */
export type Target =
  | { kind: 'account'; accountId: string; exceptSessionId?: string; keepsGrants?: boolean }
  | { kind: 'accounts'; accountIds: readonly string[] }
  /** The account's sessions that were opened by sign-ons, except with these providers. */
  | {
      kind: 'signed-on';
      accountId: string;
      exceptProviders: readonly string[];
      exceptSessionId?: string;
    }
  /** Sessions that a provider's sign-ons opened, selected by the person, or by the provider's session id. */
  | {
      kind: 'logged-out';
      provider: string;
      identityDigest: Buffer | undefined;
      sid: string | undefined;
    }
  /** With what applications have without a session (`grantIds`). */
  | { kind: 'sessions'; sessionIds: readonly string[]; grantIds?: readonly string[] }
  | { kind: 'passkey'; accountId: string; passkeyId: string; exceptSessionId: string }
  | { kind: 'session'; sessionId: string; ofAccountId?: string; ofVersion?: number };

function targetCondition(target: Target) {
  switch (target.kind) {
    case 'account': {
      const { accountId, exceptSessionId = null } = target;
      const which = 'account_id = :accountId and id is distinct from cast(:exceptSessionId as uuid)';
      return { which, ids: { accountId, exceptSessionId } };
    }
    case 'signed-on': {
      const { accountId, exceptProviders, exceptSessionId = null } = target;
      const which = `account_id = :accountId and sso_provider is not null
        and sso_provider <> all(cast(:exceptProviders as text[]))
        and id is distinct from cast(:exceptSessionId as uuid)`;
      return { which, ids: { accountId, exceptProviders, exceptSessionId } };
    }
    case 'logged-out': {
      const { provider, identityDigest, sid = null } = target;
      const own = 'sso_provider = :provider and sso_sid = :sid';
      if (identityDigest === undefined) return { which: own, ids: { provider, sid } };
      // A session for which the provider sent no sid may be the one.
      const which = `sso_provider = :provider
        and sso_identity_digest = :identityDigest
        and (cast(:sid as text) is null or sso_sid is null or sso_sid = :sid)`;
      return { which, ids: { provider, identityDigest, sid } };
    }
    case 'passkey': {
      const { accountId, passkeyId, exceptSessionId } = target;
      const which = 'account_id = :accountId and passkey_id = :passkeyId and id <> :exceptSessionId';
      return { which, ids: { accountId, passkeyId, exceptSessionId } };
    }
    case 'accounts':
      return {
        which: 'account_id = any(cast(:accountIds as uuid[]))',
        ids: { accountIds: target.accountIds },
      };
    case 'sessions':
      return { which: 'id = any(cast(:sessionIds as uuid[]))', ids: { sessionIds: target.sessionIds } };
    case 'session': {
      const { sessionId, ofAccountId = null, ofVersion = null } = target;
      const which = `id = :sessionId and account_id = coalesce(cast(:ofAccountId as uuid), account_id)
        and version = coalesce(cast(:ofVersion as integer), version)`;
      return { which, ids: { sessionId, ofAccountId, ofVersion } };
    }
  }
}

/**
 * A session in the form in which it is cached, with what requests need to know about its account. Times in epoch
 * seconds.
 */
export interface SessionState {
  sessionId: string;
  accountId: string;
  version: number;
  status: number;
  endReason: string | null;
  /** Empty: none. */
  tag: string;
  role: 'User' | 'Guest' | 'Admin';
  isAccountDisabled: boolean;
  accountExpiresAt: number | null;
  expiresAt: number;
  lastSeenAt: number;
  /** 0 before the first ping. */
  lastPingAt: number;
  contentDefinitionId: string | null;
  readAt: number;
}

export type EndedState = SessionState & { endReason: string };

/** auth-core’s refresh-token.ts explains nonces. */
export interface NewSession {
  id: string;
  accountId: string;
  status: number;
  isExclusive: boolean;
  tag: string;
  slot: number;
  refreshCurrent: Buffer;
  refreshNext: Buffer;
  ssoProvider: string | undefined;
  /** The session id at that provider, if it sent one. */
  ssoSid: string | undefined;
  ssoIdentityDigest: Buffer | undefined;
  deviceName: string | undefined;
  userAgent: string | undefined;
  ipAddress: string | undefined;
  authentication: Authentication;
  lifetimeSeconds: number;
}

/** A change of a session's status, as recorded in the history. */
export interface Change {
  status: number;
  reason: string;
  /** The account that made the change: the owner or an administrator. */
  changedBy: string | undefined;
}

const STATE = `
  s.id as "sessionId", s.account_id as "accountId", s.version, s.status, s.end_reason as "endReason",
  s.tag,
  a.role, ${disabledNow('a')} as "isAccountDisabled",
  extract(epoch from a.expires_at)::float8 as "accountExpiresAt",
  floor(extract(epoch from s.expires_at))::float8 as "expiresAt",
  floor(extract(epoch from s.last_seen_at))::float8 as "lastSeenAt",
  coalesce(floor(extract(epoch from s.last_pinged_at)), 0)::float8 as "lastPingAt",
  s.content_definition_id as "contentDefinitionId",
  floor(extract(epoch from clock_timestamp()))::float8 as "readAt"`;

/**
 * Follows a common table expression `changed` with session rows: records their history, and marks their cached copies
 * to be written again.
 */
export const RECORD = `
  history as (
    insert into session_event (session_id, account_id, status, changed_by, reason, token_expires_at)
    select id, account_id, status, cast(:changedBy as uuid), :reason, now() + make_interval(secs => :tokenSeconds) from changed
  ),
  live as (insert into live_session_outbox (session_id) select id from changed)`;

/** The columns of `user_session` that RECORD and STATE read from a common table expression. */
const CHANGED = `
  id, account_id, tag, version, status, end_reason, expires_at, last_seen_at, last_pinged_at, content_definition_id`;

/** The states of the rows of `changed`, by age. */
const CHANGED_STATES = `select ${STATE} from changed s join account a on a.id = s.account_id order by s.id`;

/** The states of sessions; unknown ids are ignored. */
export const findStates = statement.rows<SessionState, [sessionIds: readonly string[]]>(
  `select ${STATE} from user_session s join account a on a.id = s.account_id where s.id = any(?::uuid[])`,
);

/** Adds the session that a login opened and returns its state. Records the time of the login at the account as well. */
export async function insert(
  tx: Transaction,
  { authentication, ...session }: NewSession,
  options: { tokenSeconds: number },
) {
  const sql = `with changed as (
      insert into user_session (
        id, account_id, status, is_exclusive, tag, slot, refresh_current, refresh_next, sso_provider, sso_sid,
        sso_identity_digest, device_name, user_agent, ip_address, authenticated_at, authenticated_by, passkey_id,
        password_version, expires_at)
      values (
        :id, :accountId, :status, :isExclusive, :tag, :slot, :refreshCurrent, :refreshNext, :ssoProvider, :ssoSid,
        :ssoIdentityDigest, :deviceName, :userAgent, cast(:ipAddress as inet),
        now() - make_interval(secs => cast(:ageSeconds as float8)), cast(:by as text[]), cast(:passkeyId as uuid),
        (select password_version from account where id = :accountId), now() + make_interval(secs => :lifetimeSeconds))
      returning ${CHANGED}
    ),
    login as (update account set last_login_at = now() where id = :accountId), ${RECORD}
    ${CHANGED_STATES}`;
  return await query<SessionState>(tx, sql, {
    ...session,
    passkeyId: undefined,
    ...authentication,
    changedBy: session.accountId,
    reason: 'login',
    ...options,
  });
}

/** Lets a session continue after its account’s password was changed. */
export const followPassword = txStatement.run<[sessionId: string]>(`
  update user_session s set password_version = a.password_version
  from account a
  where s.id = ? and a.id = s.account_id`);

export const forbidReactivation = txStatement.run<[sessionId: string]>(
  'update user_session set password_version = null where id = ?',
);

/** Locks the accounts whose active sessions are selected, in the order in which accounts are always locked. */
export async function lockOwners(tx: Transaction, target: Target): Promise<void> {
  const { which, ids } = targetCondition(target);
  const sql = `select id from account
    where id in (select account_id from user_session where ended_at is null and ${which})
    order by email_key
    for update`;
  await query(tx, sql, ids);
}

/**
 * Ends active sessions. A session that had already expired (idle, or end of its lifetime) gets `expiredStatus` instead,
 * which is the true reason of its end. Returns the states of the sessions that this ended, by age. They are also locked
 * in that order, as in every change of several sessions, to prevent deadlocks.
 */
export async function end(
  tx: Transaction,
  target: Target,
  change: Change,
  options: { tokenSeconds: number; idleSeconds: number; expiredStatus: number },
): Promise<EndedState[]> {
  const { which, ids } = targetCondition(target);
  const ranOut = '(expires_at <= now() or last_seen_at + make_interval(secs => :idleSeconds) <= now())';
  const sql = `with held as materialized (
      select id as held_id from user_session where ended_at is null and ${which} order by id for update
    ),
    changed as (
      update user_session
      set status = case when ${ranOut} then cast(:expiredStatus as smallint) else cast(:status as smallint) end,
        end_reason = case when ${ranOut} then 'expired' else cast(:reason as text) end,
        ended_at = now(), version = version + 1
      from held
      where id = held_id and ended_at is null
      returning ${CHANGED}
    ), ${RECORD.replace(':reason', 'end_reason')}
    ${CHANGED_STATES}`;
  return await query(tx, sql, { ...ids, ...change, ...options });
}

/**
 * Locks every session of these accounts that a change of the accounts may modify (`end`, `renewCopies`),
 * in the order of their ids. Lock the accounts first.
 */
export const lockOfAccounts = txStatement.run<[accountIds: readonly string[]]>(`select id
  from user_session
  where account_id = any(cast(? as uuid[])) and (ended_at is null or ended_at > now() - interval '1 day')
  order by id
  for update`);

/**
 * Marks all sessions of accounts whose own state changed (disabled, expired, role), so that their cached copies are
 * written again: active sessions and recently ended ones, except those that this transaction ended and has thereby
 * marked already. Returns them.
 */
export const renewCopies = txStatement.column<string, [accountIds: readonly string[]]>(`with changed as (
    update user_session
    set version = version + 1
    where account_id = any(cast(? as uuid[]))
      and (ended_at is null or (ended_at > now() - interval '1 day' and ended_at < now()))
    returning id
  ),
  live as (insert into live_session_outbox (session_id) select id from changed)
  select id from changed`);
