import { exchangeSignOn, renewSso } from '@gatehouse/accounts';
import { accountCondition, refusedCaller, SESSION_REFUSALS, sessionExists } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { routeOf } from '../../deps.ts';

const route = routeOf({ tag: 'Single sign-on' });

const RenewalAnswer = Type.Object({ token: Type.String(), refreshToken: Type.String() });

const CONDITION_ERRORS = [
  'email_confirmation_pending',
  'signup_pending',
  'migration_pending',
  'new_password_required',
  'invitation_pending',
] as const;

export const ssoExchange = route('POST /api/auth/:provider/exchange', {
  operationId: 'exchangeSignOnCode',
  summary: 'Exchange the code of a single sign-on for tokens',
  description:
    'Send the `codeVerifier` that matches the `codeChallenge` of the sign-on (PKCE, RFC 7636). A code works ' +
    'once, within a minute. This opens the session, which replaces earlier ones like any login. After `session_exists`, ' +
    'send the `TakeOverToken` as the `code`.',
  access: 'public',
  params: { provider: Type.String({ maxLength: 64 }) },
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
        return { token: opened.tokens.Token, refreshToken: opened.tokens.RefreshToken };
      case 'condition':
        throw accountCondition(refuse, opened.condition);
      case 'exists':
        throw sessionExists(refuse, opened);
      case 'stale':
        throw refuse('invalid_attempt');
    }
  },
});

export const ssoRenew = route('POST /api/auth/:provider/renew', {
  operationId: 'renewSignOn',
  summary: 'Renew the access token of a single sign-on session',
  description: 'The refresh token stays the same and remains valid until the session ends.',
  access: 'public',
  params: { provider: Type.String({ maxLength: 64 }) },
  body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 512 }) }),
  response: RenewalAnswer,
  errors: ['not_found', 'token_invalid', ...SESSION_REFUSALS, ...CONDITION_ERRORS],
  handler: async ({ params, body: { refreshToken }, deps, request, refuse }) => {
    if (deps.sso.find(params.provider) === undefined) throw refuse('not_found');
    const renewal = await renewSso(deps, { provider: params.provider, refreshToken }, request);
    if (renewal.kind === 'condition') throw accountCondition(refuse, renewal.condition);
    if (renewal.kind === 'refused') throw refusedCaller(refuse, renewal);
    return { token: renewal.token, refreshToken };
  },
});
