import { invalidRequest, reply } from '@gatehouse/http';
import { Unavailable } from '@gatehouse/runtime';
import { Type, type FaultCode } from '@gatehouse/schema';
import { route, type Deps } from '../../deps.ts';
import type { Attempt, AttemptEnd } from '../attempts.ts';
import type { Provider } from '../provider/provider.ts';

export const ssoLogin = route({
  method: 'get',
  path: '/auth/:provider/login',
  operationId: 'startSignOn',
  tag: 'Single sign-on',
  summary: 'Start single sign-on in the browser',
  access: 'public',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  query: Type.Object({
    returnUrl: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'The URL to return to; must be one of the return URLs of the provider',
      }),
    ),
    pages: Type.Optional(
      Type.Literal('true', {
        description:
          'Return to the login page of the account pages, which gets a hand-over code. Without `returnUrl`',
      }),
    ),
    console: Type.Optional(
      Type.Literal('true', {
        description:
          'Return to the console, which gets a code for a session of its own; for administrators. Without `returnUrl`',
      }),
    ),
    confirm: Type.Optional(
      Type.Literal('true', {
        description:
          'With `console`: open no session, but sign on afresh, to confirm dangerous actions in the present one',
      }),
    ),
    state: Type.Optional(
      Type.String({
        minLength: 22,
        maxLength: 86,
        pattern: /^[A-Za-z0-9_-]+$/.source,
        description:
          'Required with `pages` and `console`: a random value that the page returns to compare, as `State`',
      }),
    ),
  }),
  status: 303,
  responseHeaders: {
    Location: 'The authorization URL of the identity provider',
    'Set-Cookie': 'Binds the login to this browser',
  },
  errors: ['not_found'],
  handler: async ({ params, query, deps, request, refuse }) => {
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const { id } = provider.settings;
    const attempt = beginAttempt(deps, provider, query);
    const isFresh = attempt.end === 'confirmation';
    const location = await provider.authorizationUrl(attempt, { isFresh });
    if (location === undefined) throw new Unavailable(`the identity provider ${id}`);
    const { callbackUrl } = provider;
    const sent = request.headers.cookie;
    const cookies = deps.sso.attempts.cookies(attempt, { providerId: id, callbackUrl, sent });
    return reply({ status: 303, headers: { Location: location, 'Set-Cookie': cookies } });
  },
});

interface Asked {
  returnUrl?: string;
  pages?: 'true';
  console?: 'true';
  confirm?: 'true';
  state?: string;
}

/** Begins what ends at an address from configuration alone, as tokens or a code go there. */
function beginAttempt(
  { sso }: Pick<Deps, 'sso'>,
  { settings: { returnUrls } }: Provider,
  query: Asked,
): Attempt {
  const end = endOf(query);
  const { returnUrl = returnUrls[0], state } = query;
  if (end === 'app') {
    if (state !== undefined) throw refused('state', 'does_not_go_with', 'goes with pages or console alone');
    // Compared as text: whoever may choose anything else of the address may have the tokens sent elsewhere.
    if (returnUrls.includes(returnUrl)) return sso.attempts.begin(returnUrl);
    throw refused('returnUrl', 'unknown_value', 'must be a return URL of this provider');
  }
  if (query.returnUrl !== undefined)
    throw refused('returnUrl', 'does_not_go_with', 'cannot be combined with pages or console');
  if (state === undefined) throw refused('state', 'required', 'is required with pages and console');
  const page = end === 'pages' ? sso.loginPage : sso.consolePage;
  if (page === undefined)
    throw invalidRequest('Cookies are available only if the address of the pages is https');
  return sso.attempts.begin(page, { end, state });
}

function endOf({ pages, console, confirm }: Asked): AttemptEnd {
  if (pages !== undefined && console !== undefined)
    throw refused('console', 'does_not_go_with', 'cannot be combined with pages');
  if (confirm !== undefined && console === undefined)
    throw refused('confirm', 'does_not_go_with', 'goes with console alone');
  if (pages !== undefined) return 'pages';
  if (console === undefined) return 'app';
  return confirm === undefined ? 'console' : 'confirmation';
}

function refused(name: string, code: FaultCode, message: string): Error {
  return invalidRequest(undefined, { errors: [{ pointer: `/query/${name}`, message, code }] });
}
