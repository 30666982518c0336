import { renewSso } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { RENEWAL_ERRORS, RenewalAnswer, refusedRenewal } from './renewal-answer.ts';

export const ssoRenew = route({
  method: 'post',
  path: '/api/auth/:provider/renew',
  operationId: 'renewSignOn',
  tag: 'Single sign-on',
  summary: 'Renew the access token of a single sign-on session',
  description: 'The refresh token stays the same and remains valid until the session ends.',
  access: 'public',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 512 }) }),
  response: RenewalAnswer,
  errors: RENEWAL_ERRORS,
  handler: async ({ params, body: { refreshToken }, deps, request, refuse }) => {
    if (deps.sso.find(params.provider) === undefined) throw refuse('not_found');
    const renewal = await renewSso(deps, { provider: params.provider, refreshToken }, request);
    if (renewal.kind !== 'renewed') throw refusedRenewal(refuse, renewal);
    return { token: renewal.token, refreshToken };
  },
});
