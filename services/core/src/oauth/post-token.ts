import {
  exchangeAuthorizationCode,
  issueOwnToken,
  refreshClient,
  type ClientGrantResult,
} from '@gatehouse/accounts';
import type { OAuthClient } from '@gatehouse/db';
import { form, invalidRequest, type Refuse, type RequestFacts } from '@gatehouse/http';
import { OAUTH_GRANT_TYPES, Type, type Static } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import { callingClient, CLIENT_ERRORS, ClientCredentials } from './client-credentials.ts';

const TokenRequest = form({
  grant_type: Type.String({
    maxLength: 100,
    description: 'The kind of grant',
    examples: ['client_credentials'],
  }),
  code: Type.Optional(Type.String({ maxLength: 200, description: 'The authorization code' })),
  redirect_uri: Type.Optional(
    Type.String({ maxLength: 2000, description: 'That of the authorization request' }),
  ),
  code_verifier: Type.Optional(
    Type.String({ maxLength: 200, description: 'The verifier of the challenge (PKCE)' }),
  ),
  refresh_token: Type.Optional(Type.String({ maxLength: 200, description: 'The refresh token' })),
  scope: Type.Optional(Type.String({ maxLength: 2000, description: 'Fewer scopes than were granted' })),
  resource: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The API that the access token is for' }),
  ),
  ...ClientCredentials.properties,
});

const ERRORS = [
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  ...CLIENT_ERRORS,
] as const;

export const postToken = route({
  method: 'post',
  path: '/oauth/token',
  operationId: 'requestClientToken',
  tag: 'Applications',
  summary: 'Get tokens for an application',
  description:
    'The token endpoint of OAuth 2.1, with the grants `authorization_code`, `refresh_token` and `client_credentials`. ' +
    'A confidential client sends its secret by `Authorization: Basic`, or as `client_secret`.',
  access: 'public',
  rules: { cors: 'any', errors: 'oauth' },
  body: TokenRequest,
  response: Type.Object(
    {
      access_token: Type.String({ description: 'The access token (RFC 9068)' }),
      token_type: Type.Literal('Bearer'),
      expires_in: Type.Integer({ description: 'Its lifetime in seconds' }),
      scope: Type.String({ description: 'Its scopes' }),
      refresh_token: Type.Optional(Type.String({ description: 'For the scope `offline_access`' })),
      id_token: Type.Optional(Type.String({ description: 'For the scope `openid`' })),
    },
    { title: 'ClientTokens' },
  ),
  headers: { fixed: { 'Cache-Control': 'no-store' } },
  errors: ERRORS,
  handler: async ({ body, deps, request, refuse }) => {
    const client = await callingClient(deps, body, request, refuse);
    const granted = await grant(deps, client, body, request, refuse);
    if (granted.kind === 'error') throw refuse(granted.error);
    const { accessToken, expiresInSeconds, scopes, refreshToken, idToken } = granted.tokens;
    return {
      access_token: accessToken,
      token_type: 'Bearer' as const,
      expires_in: expiresInSeconds,
      scope: scopes.join(' '),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...(idToken !== undefined && { id_token: idToken }),
    };
  },
});

async function grant(
  deps: Deps,
  client: OAuthClient,
  body: Static<typeof TokenRequest>,
  request: RequestFacts,
  refuse: Refuse<(typeof ERRORS)[number]>,
): Promise<ClientGrantResult> {
  const type = OAUTH_GRANT_TYPES.find((one) => one === body.grant_type);
  const { code, refresh_token: refreshToken, scope, resource } = body;
  if (type === undefined) throw refuse('unsupported_grant_type');
  if (!client.grantTypes.includes(type)) throw refuse('unauthorized_client');
  switch (type) {
    case 'authorization_code': {
      if (code === undefined) throw invalidRequest('code is missing');
      const { redirect_uri: redirectUri, code_verifier: codeVerifier } = body;
      const shown = { code, redirectUri, codeVerifier, resource };
      return exchangeAuthorizationCode(deps, client, shown, request);
    }
    case 'refresh_token':
      if (refreshToken === undefined) throw invalidRequest('refresh_token is missing');
      return refreshClient(deps, client, { refreshToken, scope, resource }, request);
    case 'client_credentials':
      return issueOwnToken(deps, client, { scope, resource });
  }
}
