import { revokeClientToken } from '@gatehouse/accounts';
import { form } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { callingClient, CLIENT_ERRORS, ClientCredentials } from './client-credentials.ts';

export const revokeToken = route({
  method: 'post',
  path: '/oauth/revoke',
  operationId: 'revokeClientToken',
  tag: 'Applications',
  summary: 'End what a token of an application belongs to (RFC 7009)',
  description:
    'With a refresh token or an access token, the application’s sign-in and all its tokens end; the session stays. ' +
    'The answer is the same for unknown tokens and those of others.',
  access: 'public',
  rules: { cors: 'any', errors: 'oauth' },
  body: form({
    token: Type.String({ maxLength: 8192, description: 'The token' }),
    token_type_hint: Type.Optional(Type.String({ maxLength: 100, description: 'Ignored' })),
    ...ClientCredentials.properties,
  }),
  response: Type.Object({}, { title: 'Revoked' }),
  errors: ['unsupported_token_type', ...CLIENT_ERRORS],
  handler: async ({ body, deps, request, refuse }) => {
    const client = await callingClient(deps, body, request, refuse);
    const { kind } = await revokeClientToken(deps, client, body.token, request);
    if (kind === 'unsupported') throw refuse('unsupported_token_type');
    return {};
  },
});
