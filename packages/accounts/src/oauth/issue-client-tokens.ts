import type { ClientTokens } from '@gatehouse/auth-core';
import type { ClientSession, OAuthClient } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';
import { claimsOf } from './client-claims.ts';

/** The answer of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export interface ClientTokenSet {
  accessToken: string;
  expiresInSeconds: number;
  scopes: readonly string[];
  refreshToken: string | undefined;
  idToken: string | undefined;
}

type Deps = Pick<AccountsDeps, 'clientRefreshTokens'> & { clientTokens: ClientTokens };

/** Signs the tokens of a client session. `scopes`: those of the access token, which may be fewer. */
export async function issueClientTokens(
  { clientTokens, clientRefreshTokens }: Deps,
  client: OAuthClient,
  session: ClientSession,
  {
    scopes = session.scopes,
    refreshNonce,
    nonce,
  }: { scopes?: readonly string[]; refreshNonce: Buffer; nonce?: string | undefined },
): Promise<ClientTokenSet> {
  const { id: clientSessionId, accountId, sessionId } = session;
  const endsAt = session.endsAt ?? undefined;
  const { token, expiresInSeconds } = await clientTokens.signAccessToken({
    clientId: client.id,
    audience: session.resource ?? client.id,
    scopes,
    account: { accountId, sessionId, clientSessionId },
    endsAt,
  });
  const idToken = scopes.includes('openid')
    ? await clientTokens.signIdToken({
        alg: client.idTokenAlg,
        clientId: client.id,
        accountId,
        sessionId,
        nonce,
        authenticatedAt:
          session.authenticatedAt === null ? undefined : new Date(session.authenticatedAt * 1000),
        authenticatedBy: session.authenticatedBy,
        endsAt,
        accessToken: token,
        claims: claimsOf(scopes, session),
      })
    : undefined;
  const refreshToken = isRenewable(client, session)
    ? clientRefreshTokens.issue(clientSessionId, refreshNonce)
    : undefined;
  return { accessToken: token, expiresInSeconds, scopes, refreshToken, idToken };
}

/** Whether a client gets refresh tokens for what was granted. */
export function isRenewable({ grantTypes }: OAuthClient, { scopes }: ClientSession): boolean {
  return grantTypes.includes('refresh_token') && scopes.includes('offline_access');
}
