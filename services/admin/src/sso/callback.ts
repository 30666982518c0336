import { loginBySso, newHandover, useSsoAttempt, type SsoRefusal } from '@gatehouse/accounts';
import { reply, type RequestFacts } from '@gatehouse/http';
import { Type, type PageFragment } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import { isOfLoginPage, type Attempt } from './attempts.ts';
import type { ProviderRefusal } from './provider-fault.ts';
import type { Provider } from './provider.ts';

export const ssoCallback = route({
  method: 'get',
  path: '/auth/:provider/callback',
  operationId: 'finishSignOn',
  tag: 'Single sign-on',
  summary: 'Handle the redirect from an identity provider',
  description:
    'Redirects the browser to the return URL with `authCallback=true`, `{provider}_token` and ' +
    '`{provider}_refresh_token`, or with `error` only. With `pages`: to the login page, with `State` and ' +
    '`HandoverCode` or `SignOnError` behind the `#`.',
  access: 'public',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
  query: Type.Object({
    state: Type.Optional(Type.String({ maxLength: 512 })),
    code: Type.Optional(Type.String({ maxLength: 4096 })),
    iss: Type.Optional(Type.String({ maxLength: 1024 })),
    error: Type.Optional(Type.String({ maxLength: 512 })),
  }),
  // Providers add their own, which a client has to pass over (RFC 6749 §4.1.2).
  otherParameters: 'ignored',
  status: 303,
  responseHeaders: { Location: 'The return URL' },
  errors: ['not_found', 'invalid_attempt'],
  handler: async ({ params, query, deps, request, refuse }) => {
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const { state = '' } = query;
    const { attempts } = deps.sso;
    const attempt = attempts.find(request.headers.cookie, { providerId: params.provider, state });
    // Another browser's answer, another provider's, or none: there is nobody to send anything to.
    if (attempt === undefined) {
      const { loginPage } = deps.sso;
      if (loginPage === undefined || !isOfLoginPage(state)) throw refuse('invalid_attempt');
      request.note({ provider: params.provider, refusal: 'invalid_attempt' });
      return reply({ status: 303, headers: { Location: `${loginPage}#${LOST}` } });
    }
    // The list may have become shorter since the attempt began.
    if (!isStillConfigured(deps, provider, attempt)) throw refuse('invalid_attempt');
    const ended = await finish(deps, provider, attempt, { ...query, state }, request);
    return reply({
      status: 303,
      headers: {
        Location: addressAfter(attempt, ended),
        'Set-Cookie': attempts.clearedCookie(state, provider.callbackUrl),
      },
    });
  },
});

/** What the login page says where a person, and not a program, would read the refusal. */
const LOST = new URLSearchParams({ SignOnError: 'invalid_attempt' } satisfies PageFragment).toString();

function isStillConfigured({ sso }: Pick<Deps, 'sso'>, { settings }: Provider, attempt: Attempt): boolean {
  const { returnUrl, pagesState } = attempt;
  return pagesState === undefined ? settings.returnUrls.includes(returnUrl) : returnUrl === sso.loginPage;
}

/** What the browser tells the client: the tokens, the code of the login page, or why there is neither. */
async function finish(
  deps: Deps,
  provider: Provider,
  attempt: Attempt,
  answered: Record<string, string>,
  request: RequestFacts,
): Promise<Record<string, string>> {
  const { id } = provider.settings;
  const sendBack = (error: SsoRefusal | ProviderRefusal | 'invalid_attempt') => {
    request.note({ provider: id, refusal: error });
    return { error };
  };
  const isFirst = await useSsoAttempt(deps, attempt, request);
  if (!isFirst) return sendBack('invalid_attempt');
  const recognised = await provider.recognise(attempt, answered);
  if (typeof recognised === 'string') return sendBack(recognised);
  const { person, fault } = recognised;
  const { address, traceId, userAgent, dueAt } = request;
  const origin = { address, traceId, userAgent, dueAt };
  const handover = attempt.pagesState === undefined ? undefined : newHandover();
  const login = await loginBySso(deps, provider.settings, person, origin, handover?.keep);
  if (login.kind === 'refused')
    return sendBack(login.reason === 'email_missing' ? (fault ?? login.reason) : login.reason);
  request.note({ provider: id, accountId: login.accountId, sessionId: login.sessionId });
  if (handover !== undefined) return { HandoverCode: handover.code };
  return {
    authCallback: 'true',
    [`${id}_token`]: login.tokens.Token,
    [`${id}_refresh_token`]: login.tokens.RefreshToken,
  };
}

/** Appended as text, so that the rest of the address stays as it is on the list. */
function addressAfter({ returnUrl, pagesState }: Attempt, ended: Record<string, string>): string {
  if (pagesState === undefined) {
    return `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${new URLSearchParams(ended).toString()}`;
  }
  const { error, ...code } = ended;
  const said: PageFragment = {
    ...code,
    ...(error !== undefined && { SignOnError: error }),
    State: pagesState,
  };
  return `${returnUrl}#${new URLSearchParams(said).toString()}`;
}
