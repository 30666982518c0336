import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import type { AuthenticationMethod } from '../session/authentication.ts';

/** What an authorization code stands for. */
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

/**
 * Stores the hash of a code for an active session, which counts as seen; `false`: the session has ended. Lock the account
 * first.
 */
export async function insert(
  tx: Transaction,
  code: Omit<OAuthCode, 'isLiving' | 'clientSessionId'> & { codeHash: Buffer; lifetimeSeconds: number },
): Promise<boolean> {
  const rows = await query(
    tx,
    `with seen as (
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
     returning code_hash`,
    code,
  );
  return rows.length === 1;
}

/** A stored code; used and expired ones are found until they are deleted. */
export async function find(executor: Executor, codeHash: Buffer): Promise<OAuthCode | undefined> {
  const [row] = await query<OAuthCode>(
    executor,
    `select client_id as "clientId", account_id as "accountId", session_id as "sessionId",
       redirect_uri as "redirectUri", code_challenge as "codeChallenge", nonce, scopes, resource,
       extract(epoch from authenticated_at)::float8 as "authenticatedAt", authenticated_by as "authenticatedBy",
       extract(epoch from ends_at)::float8 as "endsAt", expires_at > now() as "isLiving", client_session_id as "clientSessionId"
     from oauth_code
     where code_hash = ?`,
    [codeHash],
  );
  return row;
}

/** Uses up a code for a client session; `false` if another request used it first, or it has expired. */
export async function use(tx: Transaction, codeHash: Buffer, clientSessionId: string): Promise<boolean> {
  const rows = await query(
    tx,
    `update oauth_code
     set client_session_id = :clientSessionId
     where code_hash = :codeHash and client_session_id is null and expires_at > now()
     returning client_id`,
    { codeHash, clientSessionId },
  );
  return rows.length === 1;
}
