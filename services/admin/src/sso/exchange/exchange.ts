import { renewSso, useSsoAttempt } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { RENEWAL_ERRORS, RenewalAnswer, refusedRenewal } from './renewal-answer.ts';

export const ssoExchange = route({
  method: 'post',
  path: '/api/auth/:provider/exchange',
  operationId: 'exchangeSignOnCode',
  tag: 'Single sign-on',
  summary: 'Exchange the code of a single sign-on for tokens',
  description:
    'Send the `codeVerifier` that matches the `codeChallenge` of the sign-on (PKCE, RFC 7636). A code works ' +
    'once, within a minute. The response is the same as for renewing.',
  access: 'public',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  body: Type.Object({
    code: Type.String({
      maxLength: 2048,
      pattern: /^[A-Za-z0-9_-]+$/.source,
      examples: ['AbpXkvMH7QzU3wq0hYcT'],
    }),
    codeVerifier: Type.String({
      minLength: 43,
      maxLength: 128,
      pattern: /^[A-Za-z0-9._~-]+$/.source,
      examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
    }),
  }),
  response: RenewalAnswer,
  errors: [...RENEWAL_ERRORS, 'invalid_attempt'],
  handler: async ({ params: { provider }, body, deps, request, refuse }) => {
    if (deps.sso.find(provider) === undefined) throw refuse('not_found');
    const opened = deps.sso.exchangeCodes.open(provider, body);
    if (opened === undefined) throw refuse('invalid_attempt');
    const { refreshToken } = opened;
    // Used up last, so that the code can be used again if issuing the tokens fails.
    const renewal = await renewSso(deps, { provider, refreshToken }, request);
    if (renewal.kind !== 'renewed') throw refusedRenewal(refuse, renewal);
    if (!(await useSsoAttempt(deps, opened, request))) throw refuse('invalid_attempt');
    return { token: renewal.token, refreshToken };
  },
});
