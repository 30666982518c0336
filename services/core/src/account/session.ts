import { logout, ping, refresh } from '@gatehouse/accounts';
import {
  ACCOUNT_CONDITIONS,
  accountCondition,
  browserSiteFor,
  refusedCaller,
  ReplacedBy,
  replacedByOf,
  reply,
  SESSION_REFUSALS,
  SIGNED_OUT_HEADERS,
  signedOutHeaders,
} from '@gatehouse/http';
import { Integers, PingStatus, Type, Uuid } from '@gatehouse/schema';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Sessions' });

export const pingSession = route('POST /account/ping', {
  operationId: 'pingSession',
  summary: 'Keep the session alive and get its status',
  description: 'Also responds to a valid, unexpired token whose session was ended by someone else.',
  access: 'token',
  rules: { isFrequent: true },
  body: Type.Object({
    ContentDefinitionId: Type.Optional(Uuid()),
  }),
  response: Type.Object({
    PingStatus: Integers(PingStatus, 'PingStatus'),
    ReplacedBy: Type.Optional(ReplacedBy),
  }),
  errors: ['session_ended'],
  handler: async ({ body, caller, deps, refuse }) => {
    if (caller.kind === 'service') return { PingStatus: PingStatus.Normal };
    const pinged = await ping(deps, caller, body.ContentDefinitionId);
    if (pinged.kind === 'refused') throw refuse(pinged.code);
    const replacedBy = replacedByOf(pinged.replacedBy);
    return { PingStatus: pinged.status, ...(replacedBy && { ReplacedBy: replacedBy }) };
  },
});

export const TokenSetAnswer = Type.Object(
  {
    Token: Type.String({
      description: 'The access token. Send it as `Authorization: Bearer <Token>`.',
      examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI…'],
    }),
    RefreshToken: Type.String({
      description: 'The refresh token for `/account/refresh-token`',
      examples: ['AaH9ZiHQcfmXjnhONO9LDY…'],
    }),
    ExpirationSeconds: Type.Integer({
      minimum: 1,
      description: 'Lifetime of the access token in seconds',
      examples: [3600],
    }),
  },
  { title: 'TokenSet' },
);

export const refreshToken = route('POST /account/refresh-token', {
  operationId: 'refreshToken',
  summary: 'Refresh the access token',
  description:
    'The refresh token remains valid. Clients that switch to the new refresh token from each response benefit ' +
    'from token theft detection.',
  access: 'public',
  body: Type.Object({ RefreshToken: Type.String({ minLength: 1, maxLength: 512 }) }),
  response: TokenSetAnswer,
  errors: ['token_invalid', ...SESSION_REFUSALS, ...ACCOUNT_CONDITIONS],
  handler: async ({ body, deps, request, refuse }) => {
    const outcome = await refresh(deps, body.RefreshToken, request);
    switch (outcome.kind) {
      case 'refreshed':
        return outcome.tokens;
      case 'condition':
        throw accountCondition(refuse, outcome.condition);
      case 'refused':
        throw refusedCaller(refuse, outcome);
    }
  },
});

export const logoutSession = route('POST /account/logout', {
  operationId: 'logout',
  summary: 'Log out',
  description: 'Ends the session. Its access and refresh tokens, and its cookie, stop working immediately.',
  access: 'session',
  body: Type.Object({}),
  response: Type.Object({}),
  headers: { response: SIGNED_OUT_HEADERS },
  handler: async ({ caller, deps, request }) => {
    await logout(deps, caller, request);
    if (caller.via !== 'cookie') return {};
    const site = browserSiteFor(deps.browser.sites, caller.purpose);
    return reply({ headers: signedOutHeaders(site), body: {} });
  },
});
