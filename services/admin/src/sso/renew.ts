import { renewSso } from '@gatehouse/accounts';
import { accountCondition, ApiError, refusedCaller } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const ssoRenew = route({
  method: 'post',
  path: '/api/auth/:provider/renew',
  operationId: 'renewSignOn',
  tag: 'Single sign-on',
  summary: 'Renew the access token of a single sign-on session',
  description: 'The refresh token stays the same and remains valid until the session ends.',
  access: 'public',
  params: Type.Object({ provider: Type.String() }),
  body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 512 }) }),
  response: Type.Object({ token: Type.String(), refreshToken: Type.String() }),
  errors: [
    'not_found',
    'token_invalid',
    'session_replaced',
    'session_deactivated',
    'session_expired',
    'session_ended',
    'new_password_required',
  ],
  handler: async ({ params, body: { refreshToken }, deps, request }) => {
    if (deps.sso.find(params.provider) === undefined) throw new ApiError('not_found');
    const renewal = await renewSso(deps, { provider: params.provider, refreshToken }, request);
    if ('condition' in renewal) throw accountCondition(renewal.condition);
    if ('refused' in renewal) throw refusedCaller(renewal);
    return { token: renewal.token, refreshToken };
  },
});
