import { disabledNow } from '../account/accounts.ts';
import { query, type Transaction, type Executor } from '../postgres/connect.ts';
import { statement, txStatement, arraysOf } from '../postgres/statements.ts';
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

const WHICH: Record<Target['kind'], string> = {
  account: 'account_id = :accountId and id is distinct from cast(:exceptSessionId as uuid)',
  accounts: 'account_id = any(cast(:accountIds as uuid[]))',
  'signed-on': `account_id = :accountId and sso_provider is not null
    and sso_provider <> all(cast(:exceptProviders as text[]))
    and id is distinct from cast(:exceptSessionId as uuid)`,
  // A session for which the provider sent no sid may be the one.
  'logged-out': `sso_provider = :provider
    and sso_identity_digest = :identityDigest
    and (cast(:sid as text) is null or sso_sid is null or sso_sid = :sid)`,
  passkey: 'account_id = :accountId and passkey_id = :passkeyId and id <> :exceptSessionId',
  sessions: 'id = any(cast(:sessionIds as uuid[]))',
  session: `id = :sessionId and account_id = coalesce(cast(:ofAccountId as uuid), account_id)
    and version = coalesce(cast(:ofVersion as integer), version)`,
};

function targetCondition({ kind, ...given }: Target) {
  const ids = { exceptSessionId: null, ofAccountId: null, ofVersion: null, ...given };
  const isOnlyBySid = 'sid' in given && given.identityDigest === undefined;
  return { which: isOnlyBySid ? 'sso_provider = :provider and sso_sid = :sid' : WHICH[kind], ids };
}

/** A session as it is cached, with what requests need of its account. Times in epoch seconds. */
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

/** After a table expression `changed` with sessions: records their history, and has copies written again. */
export const RECORD = `
  history as (
    insert into session_event (session_id, account_id, status, changed_by, reason, token_expires_at)
    select id, account_id, status, cast(:changedBy as uuid), :reason, now() + make_interval(secs => :tokenSeconds) from changed
  ),
  live as (insert into live_session_outbox (session_id) select id from changed)`;

/** The columns of `user_session` that RECORD and STATE read from a common table expression. */
const CHANGED = `
  id, account_id, tag, version, status, end_reason, expires_at, last_seen_at, last_pinged_at, content_definition_id`;

const CHANGED_STATES = `select ${STATE} from changed s join account a on a.id = s.account_id order by s.id`;

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
 * Ends active sessions; one that had already expired gets `expiredStatus`, the true reason. Returns the states of those
 * that this ended, by age, the order in which several sessions are always locked, against deadlocks.
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

/** Locks the sessions that a change of accounts may modify (`end`, `renewCopies`), by id. Lock the accounts first. */
export const lockOfAccounts = txStatement.run<[accountIds: readonly string[]]>(`select id
  from user_session
  where account_id = any(cast(? as uuid[])) and (ended_at is null or ended_at > now() - interval '1 day')
  order by id
  for update`);

/**
 * Has copies of sessions written again whose account changed (disabled, expired, role): active and recently ended ones,
 * but those that this transaction has ended and marked. Returns them.
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

const RAN_OUT_AT_REST =
  '(expires_at <= now() or last_seen_at <= now() - make_interval(secs => :idleSeconds))';

export const findLapsed = statement.rows<
  { sessionId: string; accountId: string },
  { idleSeconds: number; max: number }
>(`select id as "sessionId", account_id as "accountId"
  from user_session where ended_at is null and ${RAN_OUT_AT_REST}
  limit :max`);

/** Ends those of the sessions that have expired; because of `skip locked`, several processes share the work. */
export async function endLapsed(
  tx: Transaction,
  sessionIds: readonly string[],
  options: { tokenSeconds: number; idleSeconds: number; expiredStatus: number },
): Promise<{ id: string; accountId: string; tag: string }[]> {
  const sql = `with lapsed as (
      select id from user_session
      where id = any(cast(:sessionIds as uuid[])) and ended_at is null and ${RAN_OUT_AT_REST}
      for update skip locked
    ),
    changed as (
      update user_session s
      set status = cast(:expiredStatus as smallint), end_reason = 'expired', ended_at = now(), version = version + 1
      from lapsed where s.id = lapsed.id
      returning s.id, s.account_id, s.tag, s.status
    ), ${RECORD}
    select id, account_id as "accountId", tag from changed`;
  return await query(tx, sql, { ...options, sessionIds, changedBy: null, reason: 'expired' });
}

/**
 * Saves when sessions were last seen according to their cached copies; never an earlier time, and never for an ended
 * session. Sessions are locked in the order of their ids, as in every change of several sessions, to prevent deadlocks.
 */
export async function saveLastSeen(
  executor: Executor,
  seen: readonly {
    sessionId: string;
    seenAtSeconds: number;
    /** 0 before the first ping. */
    pingedAtSeconds: number;
    contentDefinitionId: string | undefined;
  }[],
): Promise<void> {
  const sql = `with held as materialized (
      select id from user_session
      where id = any(cast(:sessionId as uuid[])) and ended_at is null
      order by id
      for no key update
    )
    update user_session s
    set last_seen_at = greatest(s.last_seen_at, to_timestamp(seen.at)),
      last_pinged_at = greatest(s.last_pinged_at, to_timestamp(nullif(seen.pinged_at, 0))),
      content_definition_id = seen.content
    from unnest(
      cast(:sessionId as uuid[]), cast(:seenAtSeconds as float8[]), cast(:pingedAtSeconds as float8[]),
      cast(:contentDefinitionId as uuid[])) as seen (id, at, pinged_at, content)
    join held using (id)
    where s.id = seen.id and s.ended_at is null`;
  const names = ['sessionId', 'seenAtSeconds', 'pingedAtSeconds', 'contentDefinitionId'] as const;
  await query(executor, sql, arraysOf(seen, ...names));
}

/** Entries of sessions whose copies may have to be written again, oldest first, to be removed after that. */
export const findUncached = statement.rows<{ id: string; sessionId: string }, [after: string, max: number]>(
  `select id, session_id as "sessionId" from live_session_outbox where id > ?::bigint order by id limit ?`,
);

export const removeUncached = statement.run<[ids: readonly string[]]>(
  'delete from live_session_outbox where id = any(?::bigint[])',
);
