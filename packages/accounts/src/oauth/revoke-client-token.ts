import type { ClientTokens } from '@gatehouse/auth-core';
import type { OAuthClient } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';
import { endClientSession } from './end-client-session.ts';

/** `unsupported`: a client's own access token, which only expires. */
export type ClientRevocation = { kind: 'done' } | { kind: 'unsupported' };

type Deps = Pick<AccountsDeps, 'db' | 'clientRefreshTokens'> & { clientTokens: ClientTokens };

/**
 * Revokes a token of the client (RFC 7009): what it belongs to ends, with all its tokens. A token that is unknown, or of
 * another client, changes nothing, and the answer does not say which it was.
 */
export async function revokeClientToken(
  deps: Deps,
  client: Pick<OAuthClient, 'id'>,
  token: string,
  origin: Origin,
): Promise<ClientRevocation> {
  const refreshed = deps.clientRefreshTokens.read(token);
  const id = refreshed?.sessionId ?? (await ofAccessToken(deps, client, token));
  if (id === 'unsupported') return { kind: 'unsupported' };
  if (id !== undefined) await endClientSession(deps, { client, id }, 'app.signed-out', origin);
  return { kind: 'done' };
}

async function ofAccessToken(
  { clientTokens }: Deps,
  client: Pick<OAuthClient, 'id'>,
  token: string,
): Promise<string | undefined> {
  const claims = await clientTokens.verifyAccessToken(token);
  if (claims.kind === 'refused' || claims.clientId !== client.id) return undefined;
  return claims.account?.clientSessionId ?? 'unsupported';
}
