import { knownTags } from '@gatehouse/accounts';
import { invalidField, invalidRequest, readSessionTag, reply, SessionTag } from '@gatehouse/http';
import { Unavailable } from '@gatehouse/runtime';
import { compile, Locale, Optional, Type, type FaultCode, type Static } from '@gatehouse/schema';
import { route, type Deps } from '../../deps.ts';
import { PAGES, type Attempt, type AttemptResult } from './attempts.ts';
import type { Provider } from '../provider/provider.ts';

const flag = (description: string) => Type.Optional(Type.Literal('true', { description }));

const LoginQuery = Type.Object({
  returnUrl: Optional.String({
    maxLength: 2048,
    description: 'The URL to return to; must be one of the return URLs of the provider',
  }),
  pages: flag(
    'Return to the login page of the account pages with a hand-over code. Cannot be combined with `returnUrl`',
  ),
  console: flag(
    'Return to the console with a code for a new session; for administrators. Cannot be combined with ' +
      '`returnUrl`',
  ),
  confirm: flag(
    'With `console`: do not open a session, but require a fresh sign-on, to confirm dangerous actions in ' +
      'the current session',
  ),
  fresh: flag(
    'Have the provider authenticate the user anew, even if it has a session: the session that opens then counts ' +
      'as a fresh proof of identity, if the provider says when it did so (`auth_time`)',
  ),
  link: Optional.String({
    maxLength: 43,
    pattern: /^[A-Za-z0-9_-]{43}$/.source,
    description:
      'Return to the account page that links an identity; the value is from `POST ' +
      '/account/identity/{provider}`. Cannot be combined with `returnUrl`',
  }),
  codeChallenge: Optional.String({
    maxLength: 43,
    pattern: /^[A-Za-z0-9_-]{43}$/.source,
    description:
      'Return to the app with a `code` to exchange instead of tokens: the SHA-256 of a `codeVerifier` in ' +
      'base64url (PKCE, RFC 7636, method S256). Recommended',
  }),
  sessionTag: SessionTag,
  state: Optional.String({
    minLength: 22,
    maxLength: 86,
    pattern: /^[A-Za-z0-9_-]+$/.source,
    description:
      'A random value that the caller compares later. Required with `pages`, `console` and `link`, and ' +
      'returned as `State`; with `codeChallenge` it is returned to the app as `state`',
  }),
  locale: Type.Optional(
    Locale({
      description:
        'The language of the page, for the account that a first sign-on creates or completes; by default the first of ' +
        '`Accept-Language`',
    }),
  ),
});

export const ssoLogin = route('GET /auth/:provider/login', {
  operationId: 'startSignOn',
  tag: 'Single sign-on',
  summary: 'Start single sign-on in the browser',
  access: 'public',
  params: { provider: Type.String({ maxLength: 64 }) },
  query: LoginQuery,
  status: 303,
  headers: {
    response: {
      Location: 'The authorization URL of the identity provider',
      'Set-Cookie': 'Binds the login to this browser',
    },
  },
  errors: ['not_found'],
  handler: async ({ params, query, deps, request, refuse }) => {
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const { id } = provider.settings;
    const locale = query.locale ?? firstLanguage(request.headers['accept-language']);
    const attempt = { ...beginAttempt(deps, provider, query), locale };
    // An existing session of another user in this browser must not be confirmed or linked by mistake.
    const isFresh = query.fresh !== undefined || attempt.end === 'confirmation' || attempt.end === 'link';
    const location = await provider.authorizationUrl(attempt, { isFresh });
    if (location === undefined) throw new Unavailable(`the identity provider ${id}`);
    const { callbackUrl } = provider;
    const sent = request.headers.cookie;
    const cookies = deps.sso.attempts.cookies(attempt, { providerId: id, callbackUrl, sent });
    return reply({ status: 303, headers: { Location: location, 'Set-Cookie': cookies } });
  },
});

const isLocale = compile(Locale(), { unknownFields: 'refuse' });

function firstLanguage(accepted = ''): string | undefined {
  const first = accepted.split(/[,;]/, 1)[0]?.trim();
  return isLocale(first) === undefined ? first : undefined;
}

type Asked = Static<typeof LoginQuery>;

/** Begins an attempt. Its return address must be configured, because tokens or a code are sent there. */
function beginAttempt(
  { sso, slots }: Pick<Deps, 'sso' | 'slots'>,
  { settings: { returnUrls } }: Provider,
  query: Asked,
): Attempt {
  const end = endOf(query);
  const { returnUrl = returnUrls[0], state } = query;
  const sessionTag = readSessionTag(query.sessionTag, knownTags(slots), '/query/sessionTag');
  if (end === 'app') {
    const challenge = query.codeChallenge;
    if (state !== undefined && challenge === undefined)
      throw refused('state', 'does_not_go_with', 'goes with codeChallenge, pages, console or link alone');
    // Compared as text: an attacker who can change any part of the address could have the tokens sent elsewhere.
    if (returnUrls.includes(returnUrl))
      return sso.attempts.begin(returnUrl, { end, challenge, state, sessionTag });
    throw refused('returnUrl', 'unknown_value', 'must be a return URL of this provider');
  }
  if (query.codeChallenge !== undefined)
    throw refused('codeChallenge', 'does_not_go_with', 'cannot be combined with pages, console or link');
  if (query.returnUrl !== undefined)
    throw refused('returnUrl', 'does_not_go_with', 'cannot be combined with pages, console or link');
  if (query.sessionTag !== undefined && end !== 'pages')
    throw refused('sessionTag', 'does_not_go_with', 'cannot be combined with console or link');
  if (state === undefined) throw refused('state', 'required', 'is required with pages, console and link');
  const page = sso.pages[PAGES[end]];
  if (page === undefined)
    throw invalidRequest('Cookies are available only if the address of the pages is https');
  if (end !== 'link') return sso.attempts.begin(page, { end, state, sessionTag });
  return sso.attempts.begin(page, { end, state, link: query.link ?? '' });
}

function endOf({ pages, console, confirm, link }: Asked): AttemptResult {
  if (link !== undefined) {
    if (pages !== undefined || console !== undefined || confirm !== undefined)
      throw refused('link', 'does_not_go_with', 'cannot be combined with pages, console or confirm');
    return 'link';
  }
  if (pages !== undefined && console !== undefined)
    throw refused('console', 'does_not_go_with', 'cannot be combined with pages');
  if (confirm !== undefined && console === undefined)
    throw refused('confirm', 'does_not_go_with', 'goes with console alone');
  if (pages !== undefined) return 'pages';
  if (console === undefined) return 'app';
  return confirm === undefined ? 'console' : 'confirmation';
}

function refused(name: string, code: FaultCode, message: string): Error {
  return invalidField(`/query/${name}`, message, code);
}
