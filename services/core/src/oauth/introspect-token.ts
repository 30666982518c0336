import { introspectClientToken } from '@gatehouse/accounts';
import { form } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { callingClient, CLIENT_ERRORS, ClientCredentials } from './client-credentials.ts';

export const introspectToken = route({
  method: 'post',
  path: '/oauth/introspect',
  operationId: 'introspectClientToken',
  tag: 'Applications',
  summary: 'Check an access token of an application (RFC 7662)',
  description:
    'For confidential clients: `active` is true for tokens that were issued to the caller, or for one of its `Resources`. ' +
    'It becomes false as soon as the session ends.',
  access: 'public',
  rules: { errors: 'oauth' },
  body: form({
    token: Type.String({ maxLength: 8192, description: 'The access token' }),
    token_type_hint: Type.Optional(Type.String({ maxLength: 100, description: 'Ignored' })),
    ...ClientCredentials.properties,
  }),
  response: Type.Object(
    {
      active: Type.Boolean({ description: 'Whether it is valid now; without that there is nothing else' }),
      iss: Type.Optional(Type.String({ description: 'The issuer' })),
      aud: Type.Optional(Type.String({ description: 'The API or client that it is for' })),
      sub: Type.Optional(Type.String({ description: 'The account ID, or the client ID' })),
      client_id: Type.Optional(Type.String({ description: 'The client that it was issued to' })),
      scope: Type.Optional(Type.String({ description: 'Its scopes' })),
      sid: Type.Optional(Type.String({ description: 'The session ID' })),
      iat: Type.Optional(Type.Integer({ description: 'When it was issued, in epoch seconds' })),
      exp: Type.Optional(Type.Integer({ description: 'When it expires, in epoch seconds' })),
      token_type: Type.Optional(Type.Literal('Bearer')),
    },
    { title: 'ClientTokenState' },
  ),
  errors: CLIENT_ERRORS,
  handler: async ({ body, deps, request, refuse }) => {
    const client = await callingClient(deps, body, request, refuse);
    // Anybody can say the id of a public client.
    if (client.isPublic) throw refuse('invalid_client');
    const found = await introspectClientToken(deps, client, body.token);
    if (found === undefined) return { active: false };
    const { audience, clientId, account, issuedAt, expiresAt } = found.claims;
    return {
      active: true,
      iss: deps.issuer,
      aud: audience,
      sub: account?.accountId ?? clientId,
      client_id: clientId,
      scope: found.scopes.join(' '),
      ...(account && { sid: account.sessionId }),
      iat: issuedAt,
      exp: expiresAt,
      token_type: 'Bearer' as const,
    };
  },
});
