import { openQuery, reply } from '@gatehouse/http';
import { Type, type PageFragment } from '@gatehouse/schema';
import { route, type Deps } from '../../deps.ts';
import { PAGES, pageOf, type Attempt } from './attempts.ts';
import { finishAttempt } from './finish-attempt.ts';
import type { Provider } from '../provider/provider.ts';

export const ssoCallback = route({
  method: 'get',
  path: '/auth/:provider/callback',
  operationId: 'finishSignOn',
  tag: 'Single sign-on',
  summary: 'Handle the redirect from an identity provider',
  description:
    'Redirects the browser to the return URL with `authCallback=true`, `{provider}_token` and ' +
    '`{provider}_refresh_token`, or with `error` only. With `codeChallenge`, the URL has a `code` instead ' +
    'of the tokens, and the `state`. With `pages`, `console` or `link`, the browser is redirected to that ' +
    'page, with `State` and a code or `SignOnError` after the `#`.',
  access: 'public',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  // Providers add their own parameters, which a client must ignore (RFC 6749 §4.1.2).
  query: openQuery({
    state: Type.Optional(Type.String({ maxLength: 512 })),
    code: Type.Optional(Type.String({ maxLength: 4096 })),
    iss: Type.Optional(Type.String({ maxLength: 1024 })),
    error: Type.Optional(Type.String({ maxLength: 512 })),
  }),
  status: 303,
  headers: { response: { Location: 'The return URL' } },
  errors: ['not_found', 'invalid_attempt'],
  handler: async ({ params, query, deps, request, refuse }) => {
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const { state = '' } = query;
    const { attempts } = deps.sso;
    const { callbackUrl } = provider;
    const at = { providerId: params.provider, callbackUrl, state };
    const attempt = attempts.find(request.headers.cookie, at);
    // The response is for another browser, another provider or no attempt, so the return address is not known.
    if (attempt === undefined) {
      const own = pageOf(state);
      const page = own && deps.sso.pages[own];
      if (page === undefined) throw refuse('invalid_attempt');
      request.addToLog({ provider: params.provider, refusal: 'invalid_attempt' });
      return reply({ status: 303, headers: { Location: `${page}#${LOST}` } });
    }
    // The return URL may have been removed from the settings since the attempt began.
    if (!isStillConfigured(deps, provider, attempt)) throw refuse('invalid_attempt');
    const ended = await finishAttempt(deps, provider, attempt, { ...query, state }, request);
    return reply({
      status: 303,
      headers: {
        Location: addressAfter(attempt, ended),
        'Set-Cookie': attempts.clearedCookie(state, callbackUrl),
      },
    });
  },
});

/** The fragment by which one of our pages shows the refusal, instead of a response in JSON. */
const LOST = new URLSearchParams({ SignOnError: 'invalid_attempt' } satisfies PageFragment).toString();

function isStillConfigured({ sso }: Pick<Deps, 'sso'>, { settings }: Provider, attempt: Attempt): boolean {
  const { returnUrl, end } = attempt;
  if (end === 'app') return settings.returnUrls.includes(returnUrl);
  return returnUrl === sso.pages[PAGES[end]];
}

/** The parameters are appended as text, so that the rest of the address stays exactly as configured. */
function addressAfter({ returnUrl, pagesState, appState }: Attempt, ended: Record<string, string>): string {
  if (pagesState === undefined) {
    const added = new URLSearchParams({
      ...ended,
      ...(appState !== undefined && { state: appState }),
    }).toString();
    return `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${added}`;
  }
  const { error, ...code } = ended;
  const fragment: PageFragment = {
    ...code,
    ...(error !== undefined && { SignOnError: error }),
    State: pagesState,
  };
  return `${returnUrl}#${new URLSearchParams(fragment).toString()}`;
}
