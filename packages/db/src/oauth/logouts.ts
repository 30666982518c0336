import { query, type Transaction } from '../postgres/connect.ts';

/** The end of a session, which an application is to be told now. */
export interface UnsignedLogout {
  id: string;
  clientId: string;
  accountId: string;
  sessionId: string;
  alg: 'RS256' | 'ES256';
}

/**
 * Which ends of sessions need a token: it is time to tell them, none that is valid for some time was signed, and access
 * tokens of the session may still be valid. The hook worker sends a token only while it is valid for 15 s more.
 */
export const NEEDS_TOKEN = `client_id is not null
  and status in ('Pending', 'Retrying')
  and next_try_at <= now()
  and coalesce(claimed_until, '-infinity') < now()
  and (token_expires_at is null or token_expires_at < now() + interval '20 seconds')`;

/** Locks up to `max` ends of sessions that need a token, until the transaction ends. Other processes skip them. */
export async function lockUnsigned(
  tx: Transaction,
  { max, tokenSeconds }: { max: number; tokenSeconds: number },
): Promise<UnsignedLogout[]> {
  return await query<UnsignedLogout>(
    tx,
    `select logout.id, client_id as "clientId", account_id as "accountId", session_id as "sessionId", id_token_alg as alg
     from hook_delivery as logout
     join oauth_client on oauth_client.id = client_id and backchannel_logout_uri is not null
     where ${NEEDS_TOKEN}
       and coalesce(retried_at, logout.created_at) > now() - make_interval(secs => :tokenSeconds)
     order by next_try_at
     limit :max
     for update of logout skip locked`,
    { max, tokenSeconds },
  );
}

/** Gives locked ends of sessions their tokens. `tokenSeconds`: how long access tokens are valid. */
export async function setTokens(
  tx: Transaction,
  signed: readonly { id: string; token: string; expiresAt: Date }[],
  { tokenSeconds }: { tokenSeconds: number },
): Promise<void> {
  await query(
    tx,
    `update hook_delivery as logout
     set logout_token = signed.token,
       token_expires_at = signed.expires_at,
       gives_up_at = coalesce(retried_at, created_at) + make_interval(secs => :tokenSeconds)
     from unnest(cast(:ids as uuid[]), cast(:tokens as text[]), cast(:expiries as timestamptz[]))
       as signed (id, token, expires_at)
     where logout.id = signed.id`,
    {
      ids: signed.map(({ id }) => id),
      tokens: signed.map(({ token }) => token),
      expiries: signed.map(({ expiresAt }) => expiresAt),
      tokenSeconds,
    },
  );
}
