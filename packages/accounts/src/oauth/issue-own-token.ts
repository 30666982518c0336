import type { ClientTokens } from '@gatehouse/auth-core';
import type { OAuthClient } from '@gatehouse/db';
import type { ClientGrantResult } from './exchange-authorization-code.ts';
import { readOwnScopes } from './scopes.ts';

/** An access token for the client itself, without a person or a session (RFC 6749 §4.4). */
export async function issueOwnToken(
  { clientTokens }: { clientTokens: ClientTokens },
  client: OAuthClient,
  { scope, resource }: { scope: string | undefined; resource: string | undefined },
): Promise<ClientGrantResult> {
  const scopes = readOwnScopes(scope, client);
  if (scopes === undefined) return { kind: 'error', error: 'invalid_scope' };
  if (resource !== undefined && !client.resources.includes(resource))
    return { kind: 'error', error: 'invalid_target' };
  const { token, expiresInSeconds } = await clientTokens.signAccessToken({
    clientId: client.id,
    audience: resource ?? client.id,
    scopes,
  });
  const tokens = {
    ...{ accessToken: token, expiresInSeconds, scopes },
    ...{ refreshToken: undefined, idToken: undefined },
  };
  return { kind: 'issued', tokens };
}
