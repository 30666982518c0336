import { query, sessionRefresh, statement, txStatement } from '@gatehouse/db';
import type { AuthenticationMethod, Executor, sessionConfirmations } from '@gatehouse/db';

export interface OAuthCode {
  clientId: string;
  accountId: string;
  sessionId: string;
  redirectUri: string;
  codeChallenge: string | null;
  nonce: string | null;
  scopes: string[];
  resource: string | null;
  /** The proof of identity on which it was given, in epoch seconds; null: the identity provider did not say when. */
  authenticatedAt: number | null;
  /** Null: version 1.0.0 stored the code, and the proof is the login. */
  authenticatedBy: AuthenticationMethod[] | null;
  /** When the cookie ends that asked for it, in epoch seconds; null: with its session. */
  endsAt: number | null;
  isLiving: boolean;
  /** What it opened; null: it was not used. */
  clientSessionId: string | null;
}

/** For an active session, which counts as seen; `false`: it has ended. Lock the account first. */
export const insertCode = txStatement.any<
  Omit<OAuthCode, 'isLiving' | 'clientSessionId'> & { codeHash: Buffer; lifetimeSeconds: number }
>(`with seen as (
    update user_session
    set last_seen_at = greatest(last_seen_at, now())
    where id = :sessionId and account_id = :accountId and ended_at is null and expires_at > now()
    returning id, account_id
  )
  insert into oauth_code (
    code_hash, client_id, account_id, session_id, redirect_uri, code_challenge, nonce, scopes, resource,
    authenticated_at, authenticated_by, ends_at, expires_at)
  select
    :codeHash, cast(:clientId as uuid), s.account_id, s.id, :redirectUri, :codeChallenge, :nonce,
    cast(:scopes as text[]), :resource, to_timestamp(cast(:authenticatedAt as float8)),
    cast(:authenticatedBy as text[]), to_timestamp(cast(:endsAt as float8)), now() + make_interval(secs => :lifetimeSeconds)
  from seen s
  returning code_hash`);

/** A stored code; used and expired ones are found until they are deleted. */
export const findCode = statement.row<OAuthCode, [codeHash: Buffer]>(`
  select client_id as "clientId", account_id as "accountId", session_id as "sessionId",
    redirect_uri as "redirectUri", code_challenge as "codeChallenge", nonce, scopes, resource,
    extract(epoch from authenticated_at)::float8 as "authenticatedAt", authenticated_by as "authenticatedBy",
    extract(epoch from ends_at)::float8 as "endsAt", expires_at > now() as "isLiving", client_session_id as "clientSessionId"
  from oauth_code
  where code_hash = ?`);

/** Uses up a code for a client session; `false` if another request used it first, or it has expired. */
export const useCode = txStatement.any<{ codeHash: Buffer; clientSessionId: string }>(`update oauth_code
  set client_session_id = :clientSessionId
  where code_hash = :codeHash and client_session_id is null and expires_at > now()
  returning client_id`);

/** The scopes that a person has granted to a client; none: no consent. */
export async function findConsent(
  executor: Executor,
  { accountId, clientId }: { accountId: string; clientId: string },
): Promise<string[]> {
  const sql = 'select scopes from oauth_consent where account_id = ? and client_id = ?';
  return (await query.value<string[]>(executor, sql, [accountId, clientId])) ?? [];
}

/** Grants scopes, besides those that were granted before. `false`: all of them were. */
export const grantConsent = txStatement.any<{
  accountId: string;
  clientId: string;
  scopes: readonly string[];
}>(`insert into oauth_consent as given (account_id, client_id, scopes)
  values (:accountId, :clientId, cast(:scopes as text[]))
  on conflict (account_id, client_id) do update
  set scopes = array(select unnest(given.scopes) union select unnest(excluded.scopes)), granted_at = now()
  where not given.scopes @> excluded.scopes
  returning 1`);

/** Who is signed in to a browser, and what they last proved in it. Times in epoch seconds of the database. */
export interface SignedIn {
  accountId: string;
  sessionId: string;
  email: string;
  role: 'User' | 'Guest' | 'Admin';
  groups: string[];
  /** Null: nothing was proved in this browser, or the identity provider did not say when. */
  authenticatedAt: number | null;
  /** Null: nothing was proved in this browser. */
  authenticatedBy: AuthenticationMethod[] | null;
  now: number;
}

/**
 * The person of an active session; `undefined` if it has ended, gets no tokens, or is a program's. The login of a session
 * that was handed over proves nothing about the browser's user. A confirmation counts, whatever it was given for.
 */
export const findSignedIn = statement.row<
  SignedIn,
  sessionConfirmations.ConfirmedCredential & { accountId: string; isHandedOver: boolean }
>(`select s.account_id as "accountId", s.id as "sessionId", a.email, a.role, a.groups,
    extract(epoch from proof.at)::float8 as "authenticatedAt", proof.by as "authenticatedBy",
    extract(epoch from now())::float8 as now
  from user_session s
  join account a on a.id = s.account_id and not a.is_service and ${sessionRefresh.IS_GOOD}
  left join lateral (
    select s.authenticated_at as at, coalesce(s.authenticated_by, '{}') as by
    where not cast(:isHandedOver as boolean)
    union all
    select c.confirmed_at, c.confirmed_by
    from session_confirmation c
    where c.session_id = s.id and c.credential = :credential
    order by at desc nulls last
    limit 1
  ) proof on true
  where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null
    and s.expires_at > now()`);
