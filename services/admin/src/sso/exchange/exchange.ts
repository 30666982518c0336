import { exchangeSignOn } from '@gatehouse/accounts';
import { accountCondition, sessionExists } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { CONDITION_ERRORS, RenewalAnswer } from './renewal-answer.ts';

export const ssoExchange = route({
  method: 'post',
  path: '/api/auth/:provider/exchange',
  operationId: 'exchangeSignOnCode',
  tag: 'Single sign-on',
  summary: 'Exchange the code of a single sign-on for tokens',
  description:
    'Send the `codeVerifier` that matches the `codeChallenge` of the sign-on (PKCE, RFC 7636). A code works ' +
    'once, within a minute. This opens the session, which replaces earlier ones like any login. After `session_exists`, ' +
    'send the `TakeOverToken` as the `code`.',
  access: 'public',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  body: Type.Object({
    code: Type.String({
      maxLength: 2048,
      pattern: /^[A-Za-z0-9_-]+$/.source,
      examples: ['sso_AbpXkvMH7QzU3wq0hYcTb1n2m3k4j5h6g7f8d9s0a1Z'],
    }),
    codeVerifier: Type.String({
      minLength: 43,
      maxLength: 128,
      pattern: /^[A-Za-z0-9._~-]+$/.source,
      examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
    }),
  }),
  response: RenewalAnswer,
  errors: [
    'not_found',
    'invalid_attempt',
    'session_exists',
    'account_disabled',
    'account_expired',
    ...CONDITION_ERRORS,
  ],
  handler: async ({ params: { provider }, body, deps, request, refuse }) => {
    if (deps.sso.find(provider) === undefined) throw refuse('not_found');
    const opened = await exchangeSignOn(deps, { provider, ...body }, request);
    switch (opened.kind) {
      case 'opened':
        return { token: opened.token, refreshToken: opened.refreshToken };
      case 'condition':
        throw accountCondition(refuse, opened.condition);
      case 'exists':
        throw sessionExists(refuse, opened);
      case 'failed':
        throw refuse('invalid_attempt');
    }
  },
});
