import { write, type AccountsDeps } from '@gatehouse/accounts';
import { NEEDS_LOGOUT_TOKEN, query, txStatement, type Transaction } from '@gatehouse/db';
import { startWakeableLoop, type Lifecycle } from '@gatehouse/runtime';
import type { Deps } from '../deps.ts';

const BATCH = 50;
const POLL_MS = 10_000;

/**
 * Starts to sign what tells applications that a session has ended, until the service stops. The end of the session has
 * recorded whom to tell; the hook worker, which holds no signing key, sends it. A token that expires before it arrives is
 * signed anew, as long as access tokens of the session may be valid.
 */
export function startSigningLogouts(deps: Deps, lifecycle: Lifecycle): void {
  const loop = startWakeableLoop(POLL_MS, async () => {
    const count = await signLogouts(deps).catch((error: unknown) => {
      deps.log.warn('failed to sign logout tokens, retrying', { error });
      return 0;
    });
    return count === BATCH;
  });
  deps.work.on('hook_delivery', () => loop.wake());
  lifecycle.onStop(() => loop.stop());
}

/** Signs a batch of those that are due; returns how many. */
export async function signLogouts(deps: AccountsDeps & Pick<Deps, 'clientTokens'>): Promise<number> {
  const tokenSeconds = deps.settings.ACCESS_TOKEN_SECONDS;
  return write(deps, { actor: { kind: 'System' } }, async (tx) => {
    const due = await lockUnsigned(tx, { max: BATCH, tokenSeconds });
    if (due.length === 0) return 0;
    const signed = due.map(async (logout) => ({
      id: logout.id,
      ...(await deps.clientTokens.signLogoutToken(logout)),
    }));
    await setTokens(tx, await Promise.all(signed), tokenSeconds);
    return due.length;
  });
}

/** The end of a session, which an application is to be told now. */
type UnsignedLogout = Record<'id' | 'clientId' | 'accountId' | 'sessionId', string> & {
  alg: 'RS256' | 'ES256';
};

/** Locks up to `max` ends of sessions that need a token, until the transaction ends. Other processes skip them. */
const lockUnsigned = txStatement.rows<UnsignedLogout, { max: number; tokenSeconds: number }>(`
  select logout.id, client_id as "clientId", account_id as "accountId", session_id as "sessionId", id_token_alg as alg
  from hook_delivery as logout
  join oauth_client on oauth_client.id = client_id and backchannel_logout_uri is not null
  where ${NEEDS_LOGOUT_TOKEN}
    and coalesce(retried_at, logout.created_at) > now() - make_interval(secs => :tokenSeconds)
  order by next_try_at
  limit :max
  for update of logout skip locked`);

/** Gives locked ends of sessions their tokens. `tokenSeconds`: how long access tokens are valid. */
async function setTokens(
  tx: Transaction,
  signed: readonly { id: string; token: string; expiresAt: Date }[],
  tokenSeconds: number,
): Promise<void> {
  const sql = `update hook_delivery as logout
    set logout_token = signed.token,
      token_expires_at = signed.expires_at,
      gives_up_at = coalesce(retried_at, created_at) + make_interval(secs => :tokenSeconds)
    from unnest(cast(:ids as uuid[]), cast(:tokens as text[]), cast(:expiries as timestamptz[]))
      as signed (id, token, expires_at)
    where logout.id = signed.id`;
  await query(tx, sql, {
    ids: signed.map(({ id }) => id),
    tokens: signed.map(({ token }) => token),
    expiries: signed.map(({ expiresAt }) => expiresAt),
    tokenSeconds,
  });
}
