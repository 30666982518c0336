import { DEVICE_GRANT, type AppEndReason } from '@gatehouse/schema';
import { authorOf } from '../audit/audit.ts';
import { arraysOf, statement } from '../postgres/statements.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { traceparentOf } from '../postgres/statement/traced-statements.ts';
import type { AuthenticationMethod } from '../session/authentication.ts';
import { IS_ACCEPTED, IS_ALIVE, IS_GOOD, OVERTAKEN, ROTATED, SUCCESSOR } from '../session/session-refresh.ts';
import { lockOfAccounts } from '../session/user-sessions.ts';

/** What an application has of a session: everything that tokens, and answers about them, are made of. */
export interface ClientSession {
  id: string;
  clientId: string;
  /** The `sid` of its tokens: its session, or its own id. */
  sessionId: string;
  /** It lives without a session. */
  isOwn: boolean;
  accountId: string;
  /** Those that were granted, without any that the client may not ask for any more. */
  scopes: string[];
  resource: string | null;
  /** When the owner proved who they are, in epoch seconds; null: the identity provider did not say. It never changes. */
  authenticatedAt: number | null;
  /** How, at that moment. */
  authenticatedBy: AuthenticationMethod[];
  /** When it ends, if not before with its session, in epoch seconds. */
  endsAt: number | null;
  email: string;
  /** Never of a guest: Portal says that a guest has used the mailed link, and wrote the link itself. */
  isEmailVerified: boolean;
  displayName: string | null;
  locale: string;
  groups: string[];
}

const COLUMNS = `
  cs.id, cs.client_id as "clientId", coalesce(cs.session_id, cs.id) as "sessionId", cs.session_id is null as "isOwn",
  cs.account_id as "accountId",
  array(select scope from unnest(cs.scopes) as scope where scope = any(c.scopes)) as scopes, cs.resource,
  extract(epoch from case when cs.authenticated_by is null then s.authenticated_at else cs.authenticated_at end)::float8
    as "authenticatedAt",
  coalesce(cs.authenticated_by, s.authenticated_by, '{}') as "authenticatedBy",
  extract(epoch from cs.ends_at)::float8 as "endsAt",
  a.email, a.email_verified_at is not null and a.role <> 'Guest' as "isEmailVerified",
  a.display_name as "displayName", a.locale, a.groups`;

export const IS_NOT_OVER = `(cs.ends_at is null or cs.ends_at > now())`;

/** How long sessions live, and sign-ins without one, that nobody uses. */
interface IdleBounds {
  idleSeconds: number;
  grantIdleSeconds: number;
}

/** The row `cs`, which has no session, was used. */
export const OWN_LIVES = 'cs.last_seen_at + make_interval(secs => :grantIdleSeconds) > now()';

/** The session `s` of the row `cs` is active, or the row has none and was used. */
export const LIVES = `(case when cs.session_id is null then ${OWN_LIVES} else ${IS_ALIVE} end)`;

/** The client `c` signs people in, and lets the account `a` in, with what it asked for in the row `cs`, which is not over. */
export const IS_LET_IN = `
  ${IS_NOT_OVER} and c.grant_types && array['authorization_code', '${DEVICE_GRANT}'] and (cs.session_id is not null or c.grants = 'own')
  and a.role = any(c.roles) and (c.groups = '{}' or c.groups && a.groups)
  and (cs.resource is null or cs.resource = any(c.resources))
  and (
    c.is_trusted
    or exists (
      select from oauth_consent given
      where given.account_id = a.id and given.client_id = c.id and cs.scopes <@ given.scopes))`;

/**
 * Tells the database why sign-ins end. Its triggers `report_signed_out` (event and audit) and `announce_client_logout` (feed
 * and logout token) say so, whatever deletes the row.
 */
export const BECAUSE = `set_config('gatehouse.signed_out', cast(:why as text), true)`;

export function because(executor: Executor, reason: AppEndReason): { why: string } {
  const { actor, origin } = authorOf(executor);
  const { address, traceId } = origin ?? {};
  return {
    why: JSON.stringify({
      reason,
      actorKind: actor.kind,
      ...('id' in actor && { actorId: actor.id }),
      address,
      traceId,
      traceparent: traceparentOf(executor),
    }),
  };
}

/** A session signs in to a client at most so often at once (a browser's tabs), and so does an account without one. */
const SIGN_INS_MAX = 20;

/** `undefined` if nobody is let in or gets tokens. Of too many sign-ins to a client, that unused for longest ends. */
export async function insert(
  tx: Transaction,
  opening: Pick<
    ClientSession,
    'id' | 'clientId' | 'accountId' | 'scopes' | 'resource' | 'authenticatedAt' | 'endsAt'
  > & {
    /** Null: it lives by itself. */
    sessionId: string | null;
    address: string;
    userAgent: string | undefined;
    authenticatedBy: AuthenticationMethod[] | null;
    refreshCurrent: Buffer;
    refreshNext: Buffer;
  },
  bounds: IdleBounds,
) {
  const sql = `with asked as (
      select cast(:id as uuid) as id, cast(:clientId as uuid) as client_id, cast(:accountId as uuid) as account_id,
        cast(:sessionId as uuid) as session_id, cast(:scopes as text[]) as scopes, cast(:resource as text) as resource,
        to_timestamp(cast(:authenticatedAt as float8)) as authenticated_at,
        cast(:authenticatedBy as text[]) as authenticated_by, to_timestamp(cast(:endsAt as float8)) as ends_at,
        now() as last_seen_at, ${BECAUSE}
    ),
    opened as (
      select ${COLUMNS}
      from asked cs
      left join user_session s on s.id = cs.session_id and s.account_id = cs.account_id
      join account a on a.id = cs.account_id and ${IS_GOOD}
      join oauth_client c on c.id = cs.client_id and ${IS_LET_IN}
      where ${LIVES}
    ),
    added as (
      insert into client_session (
        id, client_id, account_id, session_id, scopes, resource, authenticated_at, authenticated_by, ends_at,
        refresh_current, refresh_next, ip_address, user_agent)
      select id, "clientId", "accountId", case when not "isOwn" then "sessionId" end, scopes, resource,
        to_timestamp("authenticatedAt"), "authenticatedBy", to_timestamp("endsAt"), :refreshCurrent, :refreshNext,
        case when "isOwn" then cast(:address as inet) end, case when "isOwn" then cast(:userAgent as text) end
      from opened
    ),
    crowded_out as (
      delete from client_session
      where id in (
        select other.id from client_session other
        where other.account_id = :accountId and other.client_id = :clientId
          and other.session_id is not distinct from cast(:sessionId as uuid)
        order by other.last_seen_at desc
        offset :othersMax)
    )
    select * from opened`;
  return await query.row<ClientSession>(tx, sql, {
    ...{ ...opening, userAgent: opening.userAgent ?? null, ...bounds, othersMax: SIGN_INS_MAX - 1 },
    ...because(tx, 'replaced'),
  });
}

export type RotatedClientSession = ClientSession & {
  /** The nonce of the refresh token to return. */
  successor: Buffer;
};

/** Like `sessionRefresh.rotate`; also leaves out what other clients show, and whose client gives no tokens. */
export async function rotate(
  tx: Transaction,
  attempts: readonly {
    id: string;
    clientId: string;
    nonce: Buffer;
    fresh: Buffer;
    address: string;
    userAgent: string | undefined;
  }[],
  { locked, ...bounds }: IdleBounds & { graceSeconds: number; locked: 'skip' | 'wait' },
): Promise<RotatedClientSession[]> {
  const rows = await query<RotatedClientSession & Record<'nonce' | 'fresh' | 'address' | 'agent', unknown>>(
    tx,
    `with held as materialized (
       select r.*, given.nonce, given.fresh, given.address, given.agent
       from unnest(
         :id::uuid[], :clientId::uuid[], :nonce::bytea[], :fresh::bytea[], :address::inet[], :userAgent::text[])
         as given (id, client_id, nonce, fresh, address, agent)
       cross join lateral (
         select s.id, s.client_id, s.account_id, s.session_id, s.scopes, s.resource, s.authenticated_at,
           s.authenticated_by, s.ends_at, s.last_seen_at
         from client_session s
         where s.id = given.id and s.client_id = given.client_id and ${IS_ACCEPTED}
         for no key update ${locked === 'skip' ? 'skip locked' : ''}
       ) cs
       cross join lateral (
         select ${COLUMNS}
         from account a
         join oauth_client c on c.id = cs.client_id and ${IS_LET_IN}
         left join user_session s on s.id = cs.session_id
         where a.id = cs.account_id and ${IS_GOOD} and ${LIVES}
         offset 0
       ) r
     )
     update client_session s
     set ${ROTATED},
       ip_address = case when "isOwn" then held.address end,
       user_agent = case when "isOwn" then held.agent end
     from held
     where s.id = held.id
     returning held.*, ${SUCCESSOR} as successor`,
    { ...arraysOf(attempts, 'id', 'clientId', 'nonce', 'fresh', 'address', 'userAgent'), ...bounds },
  );
  return rows.map(({ nonce, fresh, address, agent, ...rotated }) => rotated);
}

/** Why a refresh token may have got nothing. */
export interface ClientRefreshState {
  clientId: string;
  /** Null: it has none. */
  sessionId: string | null;
  /** Nonces that were overtaken within the grace period, oldest first. */
  overtaken: Buffer[];
  current: Buffer;
  next: Buffer;
}

export const findRefreshState = statement.row<ClientRefreshState, { id: string; graceSeconds: number }>(`
  select s.client_id as "clientId", s.session_id as "sessionId", ${OVERTAKEN} as overtaken,
    s.refresh_current as current, s.refresh_next as next
  from client_session s
  where s.id = :id`);

/** Its session, if any, has not ended, and its client lets the person in. If it was idle, its cached copy says. */
export const findLetIn = statement.row<ClientSession, { id: string; grantIdleSeconds: number }>(`
  select ${COLUMNS}
  from client_session cs
  left join user_session s on s.id = cs.session_id
  join account a on a.id = cs.account_id and ${IS_GOOD}
  join oauth_client c on c.id = cs.client_id and ${IS_LET_IN}
  where cs.id = :id
    and case when cs.session_id is null then ${OWN_LIVES} else s.ended_at is null and s.expires_at > now() end`);

/** Ends a client session; returns whose it was. A client that has asked for it is not told. */
export async function removeOfClient(
  tx: Transaction,
  { id, clientId, reason }: Pick<ClientSession, 'id' | 'clientId'> & { reason: AppEndReason },
) {
  return await query.row<Pick<ClientSession, 'sessionId' | 'accountId'>>(
    tx,
    `with client as materialized (
       select id, set_config('gatehouse.signed_out_by', cast(:by as text), true), ${BECAUSE}
       from oauth_client
       where id = :clientId
       for key share
     )
     delete from client_session
     using client
     where client_session.id = :id and client_id = client.id
     returning coalesce(session_id, client_session.id) as "sessionId", account_id as "accountId"`,
    { id, clientId, by: reason === 'by_application' ? 'client' : '', ...because(tx, reason) },
  );
}

/** Ends those of a client or accounts that it no longer lets in: they must not revive. Lock it or them first. */
export async function removeNotLetIn(
  tx: Transaction,
  of: { clientId: string } | { accountIds: readonly string[] },
): Promise<void> {
  const isOf =
    'clientId' in of ? 'cs.client_id = :clientId' : 'cs.account_id = any(cast(:accountIds as uuid[]))';
  if ('accountIds' in of) await lockOfAccounts(tx, of.accountIds);
  const sql = `with client as materialized (
      select c.*, ${BECAUSE} from oauth_client c
      where c.id in (select cs.client_id from client_session cs where ${isOf})
      order by c.id
      for share
    )
    delete from client_session gone
    using client_session cs
    join account a on a.id = cs.account_id
    join client c on c.id = cs.client_id
    where ${isOf} and gone.id = cs.id and not (${IS_LET_IN})`;
  await query(tx, sql, { ...of, ...because(tx, 'clientId' in of ? 'application_changed' : 'not_allowed') });
}

/** Deletes those that have reached their own end: without a session, also that of their use or of their account. */
export async function deleteOver(executor: Executor, bounds: Pick<IdleBounds, 'grantIdleSeconds'>) {
  const sql = `with over as materialized (
      select id, client_id from client_session where ends_at < now()
      union
      select id, client_id
      from client_session
      where session_id is null and last_seen_at <= now() - make_interval(secs => :grantIdleSeconds)
      union
      select cs.id, cs.client_id
      from client_session cs
      join account a on a.id = cs.account_id and a.expires_at <= now()
      where cs.session_id is null
      limit 5000
    ),
    client as materialized (
      select id, ${BECAUSE}
      from oauth_client
      where id in (select client_id from over)
      order by id
      for key share
    )
    delete from client_session
    using over join client on client.id = over.client_id
    where client_session.id = over.id`;
  await query(executor, sql, { ...bounds, ...because(executor, 'expired') });
}

/** Ends grants without a session, or those opened by this method. Lock the accounts first, and end their sessions. */
export async function endOwn(
  tx: Transaction,
  accountIds: readonly string[],
  reason: AppEndReason,
  openedBy: AuthenticationMethod | null = null,
) {
  const sql = `select ${BECAUSE}, end_grants(cast(:accountIds as uuid[]), cast(:openedBy as text))`;
  await query(tx, sql, { accountIds, openedBy, ...because(tx, reason) });
}

/** Ends these grants without a session, or one of an account, or all; returns how many. Lock the accounts first. */
export async function removeOwn(
  tx: Transaction,
  which: { ids: readonly string[] } | { accountId: string; id: string | null },
  reason: AppEndReason,
): Promise<number> {
  const isIt =
    'ids' in which
      ? 'id = any(cast(:ids as uuid[]))'
      : 'account_id = :accountId and id = coalesce(cast(:id as uuid), id)';
  const sql = `with own as materialized (
      select id, client_id from client_session
      where session_id is null and ${isIt}
    ),
    client as materialized (
      select c.id, ${BECAUSE} from oauth_client c where c.id in (select client_id from own) order by c.id for key share
    )
    delete from client_session
    using own join client on client.id = own.client_id
    where client_session.id = own.id
    returning client_session.id`;
  return await query.count(tx, sql, { ...which, ...because(tx, reason) });
}
