import {
  confirmBySso,
  loginBySso,
  newConsoleCode,
  newHandover,
  useSsoAttempt,
  type SsoRefusal,
} from '@gatehouse/accounts';
import { reply, type RequestFacts } from '@gatehouse/http';
import { Type, type PageFragment } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import { pageOf, type Attempt } from './attempts.ts';
import type { ProviderRefusal } from './provider/provider-fault.ts';
import type { Provider, Recognised } from './provider/provider.ts';

export const ssoCallback = route({
  method: 'get',
  path: '/auth/:provider/callback',
  operationId: 'finishSignOn',
  tag: 'Single sign-on',
  summary: 'Handle the redirect from an identity provider',
  description:
    'Redirects the browser to the return URL with `authCallback=true`, `{provider}_token` and ' +
    '`{provider}_refresh_token`, or with `error` only. With `pages`: to the login page, with `State` and ' +
    '`HandoverCode` or `SignOnError` behind the `#`. With `console`: likewise to the console, with `SignOnCode`.',
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
      const { loginPage, consolePage } = deps.sso;
      const page = { pages: loginPage, console: consolePage, none: undefined }[pageOf(state) ?? 'none'];
      if (page === undefined) throw refuse('invalid_attempt');
      request.note({ provider: params.provider, refusal: 'invalid_attempt' });
      return reply({ status: 303, headers: { Location: `${page}#${LOST}` } });
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
  const { returnUrl, end } = attempt;
  if (end === 'app') return settings.returnUrls.includes(returnUrl);
  return returnUrl === (end === 'pages' ? sso.loginPage : sso.consolePage);
}

/** What the browser tells the client: the tokens, the code of our own page, or why there is neither. */
async function finish(
  deps: Deps,
  provider: Provider,
  attempt: Attempt,
  answered: Record<string, string>,
  request: RequestFacts,
): Promise<Record<string, string>> {
  const { id } = provider.settings;
  const sendBack = (error: SsoRefusal | ProviderRefusal | 'invalid_attempt' | 'sign_on_not_fresh') => {
    request.note({ provider: id, refusal: error });
    return { error };
  };
  const isFirst = await useSsoAttempt(deps, attempt, request);
  if (!isFirst) return sendBack('invalid_attempt');
  const recognised = await provider.recognise(attempt, answered);
  if (typeof recognised === 'string') return sendBack(recognised);
  const { person, fault } = recognised;
  if (attempt.end === 'confirmation' && !isFresh(deps, attempt, recognised))
    return sendBack('sign_on_not_fresh');
  const { address, traceId, userAgent, dueAt } = request;
  const origin = { address, traceId, userAgent, dueAt };
  const rules = {
    ...provider.settings,
    isForAdministrators: attempt.end === 'console' || attempt.end === 'confirmation',
  };
  if (attempt.end === 'confirmation') {
    const { code, keep } = newConsoleCode('confirmation');
    const confirmed = await confirmBySso(deps, rules, person, origin, keep);
    if (confirmed.kind === 'refused') return sendBack(confirmed.reason);
    request.note({ provider: id, accountId: confirmed.accountId });
    return { SignOnCode: code };
  }
  const handover = CODES[attempt.end]?.();
  const login = await loginBySso(deps, rules, person, origin, handover?.keep);
  if (login.kind === 'refused')
    return sendBack(login.reason === 'email_missing' ? (fault ?? login.reason) : login.reason);
  request.note({ provider: id, accountId: login.accountId, sessionId: login.sessionId });
  if (handover !== undefined)
    return attempt.end === 'pages' ? { HandoverCode: handover.code } : { SignOnCode: handover.code };
  return {
    authCallback: 'true',
    [`${id}_token`]: login.tokens.Token,
    [`${id}_refresh_token`]: login.tokens.RefreshToken,
  };
}

/** The codes of our own pages; apps get tokens. */
const CODES = { app: undefined, pages: newHandover, console: () => newConsoleCode('sign-on') } as const;

/** A sign-on under way takes a while at either end. */
const LATE_SECONDS = 5;

/**
 * Whether the provider asked who it is during this very sign-on, and did not go by what it knew. Both moments that it tells
 * are by its own clock, so that only the time between them counts.
 */
function isFresh(
  { now }: Pick<Deps, 'now'>,
  { beganAtSeconds }: Attempt,
  { signedInSecondsAgo }: Recognised,
): boolean {
  if (signedInSecondsAgo === undefined) return false;
  const lastedSeconds = now() / 1000 - beganAtSeconds;
  return signedInSecondsAgo >= -LATE_SECONDS && signedInSecondsAgo <= lastedSeconds + LATE_SECONDS;
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
