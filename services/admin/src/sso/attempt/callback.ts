import {
  CODE_SECONDS,
  conditionOf,
  deferLogouts,
  isAdmitted,
  isLoggedOut,
  requiresSecondFactor,
  withSignOnThrottle,
  write,
  type CheckResult,
} from '@gatehouse/accounts';
import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { identityLinks, sessionCodes, ssoAttempts, ssoIdentities } from '@gatehouse/db';
import { form, openQuery, reply, type RequestFacts } from '@gatehouse/http';
import { CONDITION_CODES, Optional, Type, type PageFragment } from '@gatehouse/schema';
import { routeOf, type Deps } from '../../deps.ts';
import { refusalByDomain, type SsoRules } from './sso-rules.ts';
import { PAGES, pageOf, type Attempt } from './attempts.ts';
import { codeBySso, loginBySso, type SsoRefusal } from './sign-on.ts';
import { nameIn } from '../provider/apple.ts';
import type { ProviderRefusal } from '../provider/provider-fault.ts';
import type { Provider, IdentifiedPerson } from '../provider/provider.ts';

const route = routeOf({ tag: 'Single sign-on' });

export const ssoCallback = route('GET /auth/:provider/callback', {
  operationId: 'finishSignOn',
  summary: 'Handle the redirect from an identity provider',
  description:
    'Redirects the browser to the return URL with `authCallback=true`, `{provider}_token` and ' +
    '`{provider}_refresh_token`, or with `error` only. With `codeChallenge`, the URL has a `code` instead ' +
    'of the tokens, and the `state`. With `pages`, `console` or `link`, the browser is redirected to that ' +
    'page, with `State` and a code or `SignOnError` after the `#`.',
  access: 'public',
  params: { provider: Type.String({ maxLength: 64 }) },
  // Providers add their own parameters, which a client must ignore (RFC 6749 §4.1.2).
  query: openQuery({
    state: Optional.String({ maxLength: 512 }),
    code: Optional.String({ maxLength: 4096 }),
    iss: Optional.String({ maxLength: 1024 }),
    error: Optional.String({ maxLength: 512 }),
    name: Optional.String({ maxLength: 512 }),
  }),
  status: 303,
  headers: { response: { Location: 'The return URL' } },
  errors: ['not_found', 'invalid_attempt'],
  handler: async ({ params, query, deps, request, refuse }) => {
    const { attempts, pages } = deps.sso;
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const { state = '' } = query;
    const { callbackUrl } = provider;
    const at = { providerId: params.provider, callbackUrl, state };
    const attempt = attempts.find(request.headers.cookie, at);
    // The response is for another browser, another provider or no attempt, so the return address is not known.
    if (attempt === undefined) {
      const own = pageOf(state);
      const page = own && pages[own];
      if (page === undefined) throw refuse('invalid_attempt');
      request.addToLog({ provider: params.provider, refusal: 'invalid_attempt' });
      return reply({ status: 303, headers: { Location: `${page}#${LOST}` } });
    }
    // The return URL may have been removed from the settings since the attempt began.
    if (!isStillConfigured(deps, provider, attempt)) throw refuse('invalid_attempt');
    const ended = await finishAttempt(deps, provider, attempt, { ...query, state }, request);
    const line = attempts.clearedCookie(state, callbackUrl);
    return reply({ status: 303, headers: { Location: addressAfter(attempt, ended), 'Set-Cookie': line } });
  },
});

/** As a form post (OAuth 2.0 Form Post Response Mode): browsers send the cookie only with the redirect that follows. */
export const ssoPostedCallback = route('POST /auth/:provider/callback', {
  operationId: 'finishPostedSignOn',
  summary: 'Handle the form post from an identity provider',
  description: 'Redirects the browser to the same path with the fields as parameters.',
  access: 'public',
  params: { provider: Type.String({ maxLength: 64 }) },
  body: form({
    state: Optional.String({ maxLength: 512 }),
    code: Optional.String({ maxLength: 4096 }),
    iss: Optional.String({ maxLength: 1024 }),
    error: Optional.String({ maxLength: 512 }),
    user: Optional.String({ maxLength: 4096, description: 'From Apple, with the name' }),
  }),
  status: 303,
  headers: { response: { Location: 'The callback' } },
  errors: ['not_found'],
  handler: async ({ params, body: { user, ...answered }, deps, refuse }) => {
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const name = nameIn(user)?.slice(0, NAME_MAX);
    const query = new URLSearchParams({ ...answered, ...(name !== undefined && { name }) }).toString();
    return reply({ status: 303, headers: { Location: `${provider.callbackUrl}?${query}` } });
  },
});

/** As long as a name that is displayed may be, and more. */
const NAME_MAX = 200;

/** The fragment by which one of our pages shows the refusal, instead of a response in JSON. */
const LOST = new URLSearchParams({ SignOnError: 'invalid_attempt' } satisfies PageFragment).toString();

function isStillConfigured({ sso }: Deps, { settings }: Provider, { returnUrl, end }: Attempt): boolean {
  if (end === 'app') return settings.returnUrls.includes(returnUrl);
  return returnUrl === sso.pages[PAGES[end]];
}

/** The parameters are appended as text, so that the rest of the address stays exactly as configured. */
function addressAfter({ returnUrl, pagesState, appState }: Attempt, ended: Record<string, string>): string {
  if (pagesState === undefined) {
    const state = appState !== undefined && { state: appState };
    const added = new URLSearchParams({ ...ended, ...state }).toString();
    return `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${added}`;
  }
  const { error, ...code } = ended;
  const refusal = error !== undefined && { SignOnError: error };
  const fragment: PageFragment = { ...code, ...refusal, State: pagesState };
  return `${returnUrl}#${new URLSearchParams(fragment).toString()}`;
}

const SYSTEM = { kind: 'System' } as const;

type Refusal = SsoRefusal | ProviderRefusal | 'invalid_attempt' | 'sign_on_not_fresh' | 'too_many_requests';

type Ended =
  | { kind: 'ended'; told: Record<string, string> }
  | { kind: 'refused'; reason: Refusal; accountId?: string | undefined };

interface Arrival {
  provider: Provider;
  attempt: Attempt;
  recognised: IdentifiedPerson;
  rules: SsoRules;
  request: RequestFacts;
}

/**
 * Finishes a sign-on with the provider's response, and returns the parameters for the return address. Anybody can begin
 * sign-ons and return with invented codes, and each code costs a request to the provider. Above the limit of an IP
 * address, the attempt is neither used up nor checked with the provider.
 */
async function finishAttempt(
  deps: Deps,
  provider: Provider,
  attempt: Attempt,
  answered: Record<string, string>,
  request: RequestFacts,
): Promise<Record<string, string>> {
  const finished = await withSignOnThrottle(deps, request.addressGroup, async () => {
    const outcome = await finish(deps, provider, attempt, answered, request);
    return { counts: countOf(outcome), outcome };
  });
  const ended = finished.kind === 'throttled' ? refused('too_many_requests') : finished;
  if (ended.kind === 'ended') return ended.told;
  const { reason, accountId } = ended;
  const { id } = provider.settings;
  request.addToLog({ provider: id, refusal: reason });
  // Only sign-ins are recorded: a confirmation and a link belong to somebody who is signed in.
  const isSignIn = attempt.end !== 'confirmation' && attempt.end !== 'link';
  if (isSignIn && reason !== 'sign_on_not_fresh') {
    const { address, addressGroup, userAgent, traceId } = request;
    const from = {
      accountId,
      method: 'SignOn',
      provider: id,
      address,
      addressGroup,
      userAgent,
      traceId,
    } as const;
    deps.signIns.refused(from, reason === 'too_many_requests' ? 'throttled' : reason);
  }
  return { error: reason };
}

function countOf(ended: Ended): CheckResult<Ended>['counts'] {
  if (ended.kind === 'ended') return 'succeeded';
  return ended.reason === 'provider_unavailable' ? 'aborted' : 'failed';
}

async function finish(
  deps: Deps,
  provider: Provider,
  attempt: Attempt,
  answered: Record<string, string>,
  request: RequestFacts,
): Promise<Ended> {
  // Only one answer of the provider is accepted.
  const isFirst = await write(deps, { actor: SYSTEM, origin: request }, (tx) => ssoAttempts.use(tx, attempt));
  if (!isFirst) return refused('invalid_attempt');
  const recognised = await provider.recognise(attempt, answered);
  if (typeof recognised === 'string') return refused(recognised);
  const isForAdministrators = attempt.end === 'console' || attempt.end === 'confirmation';
  const rules = { ...provider.settings, isForAdministrators };
  const arrival = { provider, attempt, recognised, rules, request };
  switch (attempt.end) {
    case 'confirmation':
      return confirm(deps, arrival);
    case 'link':
      return proveLink(deps, arrival);
    case 'app':
    case 'pages':
    case 'console':
      return signIn(deps, arrival);
  }
}

/**
 * Gives a code with which a user whom a provider has just authenticated confirms that they own the account that is linked
 * to this identity; opens no session, links nothing and creates nothing. A user who could not sign on, or whom the provider
 * has logged out since, cannot confirm either.
 */
async function confirm(deps: Deps, { provider, attempt, recognised, rules, request }: Arrival) {
  if (!isFresh(deps, attempt, recognised)) return refused('sign_on_not_fresh');
  const person = { ...recognised.person, expiresAtSeconds: attempt.expiresAtSeconds };
  const code = newInvitationToken();
  return write<Ended>(deps, { actor: SYSTEM, origin: originOf(request) }, async (tx) => {
    await deferLogouts(tx, rules, person);
    if (await isLoggedOut(tx, rules, person)) return refused('invalid_attempt');
    const account = await ssoIdentities.findAccount(tx, person);
    if (account === undefined || account.isService || !isAdmitted(rules, account))
      return refused('not_administrator');
    const condition = conditionOf(account);
    if (condition !== undefined) return refused(CONDITION_CODES[condition]);
    if (requiresSecondFactor(account) && !rules.trustSecondFactor) return refused('two_factor_required');
    await sessionCodes.insertForConsole(tx, {
      ...{ codeHash: hashInvitationToken(code), purpose: 'confirmation', accountId: account.id },
      ...{ sessionId: undefined, endsAt: undefined, lifetimeSeconds: CODE_SECONDS },
    });
    request.addToLog({ provider: provider.settings.id, accountId: account.id });
    return { kind: 'ended', told: { SignOnCode: code } };
  });
}

/**
 * Stores the identity that a provider has authenticated in the sign-on of a ticket, and gives a code. With this code,
 * the session that began the link can complete it within a minute. Nothing is linked here, because this may be another
 * person's browser. The email matters only if the installation admits only some domains; an owner may have another
 * address at the provider.
 */
async function proveLink(deps: Deps, arrival: Arrival): Promise<Ended> {
  const { provider, attempt, recognised, rules, request } = arrival;
  const { person, fault, signedInSecondsAgo } = recognised;
  // Another person may be signed in at the provider. Not every provider reports when it authenticated the user.
  if (signedInSecondsAgo !== undefined && !isFresh(deps, attempt, recognised))
    return refused('sign_on_not_fresh');
  const reason = refusalByDomain(rules, person);
  if (reason !== undefined) return refused(reason === 'email_missing' ? (fault ?? reason) : reason);
  // If the provider has not verified the address, anybody could claim one of an admitted domain.
  if (rules.allowedDomains.length > 0 && !person.isEmailVerified) return refused('email_not_verified');
  const code = newInvitationToken();
  const { issuer, subject } = person;
  const proof = {
    ticketHash: hashInvitationToken(attempt.link ?? ''),
    codeHash: hashInvitationToken(code),
    ...{ provider: rules.id, issuer, subject, lifetimeSeconds: CODE_SECONDS },
  };
  const author = { actor: SYSTEM, origin: originOf(request) };
  if (!(await write(deps, author, (tx) => identityLinks.prove(tx, proof)))) return refused('invalid_attempt');
  request.addToLog({ provider: provider.settings.id });
  return { kind: 'ended', told: { IdentityCode: code } };
}

async function signIn(deps: Deps, arrival: Arrival): Promise<Ended> {
  const { provider, attempt, recognised, rules, request } = arrival;
  const { id } = provider.settings;
  const { person, fault, signedInSecondsAgo } = recognised;
  const authenticated = {
    ...person,
    locale: attempt.locale,
    expiresAtSeconds: attempt.expiresAtSeconds,
    authenticatedAtSeconds:
      signedInSecondsAgo === undefined ? undefined : deps.now() / 1000 - signedInSecondsAgo,
  };
  const origin = originOf(request);
  const use = useOf(attempt);
  const { sessionTag } = attempt;
  const login =
    use === undefined
      ? await loginBySso(deps, rules, authenticated, { ...origin, tag: sessionTag })
      : await codeBySso(deps, rules, authenticated, { ...use, sessionTag }, origin);
  if (login.kind === 'refused')
    return refused(
      login.reason === 'email_missing' ? (fault ?? login.reason) : login.reason,
      login.accountId,
    );
  request.addToLog({ provider: id, accountId: login.accountId });
  if (login.kind === 'kept') return { kind: 'ended', told: toldBy(attempt, login.code) };
  request.addToLog({ sessionId: login.sessionId });
  const { Token, RefreshToken } = login.tokens;
  const told = { authCallback: 'true', [`${id}_token`]: Token, [`${id}_refresh_token`]: RefreshToken };
  return { kind: 'ended', told };
}

/** Who exchanges a code for the session; `undefined` for an app that gets its tokens in the address. */
function useOf({ end, challenge }: Attempt) {
  if (end === 'pages' || end === 'console') return { purpose: end } as const;
  return challenge === undefined ? undefined : ({ purpose: 'app', codeChallenge: challenge } as const);
}

function toldBy({ end }: Attempt, code: string): Record<string, string> {
  if (end === 'pages') return { HandoverCode: code };
  return end === 'console' ? { SignOnCode: code } : { authCallback: 'true', code };
}

function refused(reason: Refusal, accountId?: string): Extract<Ended, { kind: 'refused' }> {
  return { kind: 'refused', reason, accountId };
}

function originOf({ address, traceId, userAgent, dueAt }: RequestFacts) {
  return { address, traceId, userAgent, dueAt };
}

/** The tolerance for the time that redirects and rounding take. */
const LATE_SECONDS = 5;

/** Whether the user was authenticated during this sign-on: by the difference of two times of the provider’s clock. */
function isFresh({ now }: Deps, { beganAtSeconds }: Attempt, { signedInSecondsAgo }: IdentifiedPerson) {
  if (signedInSecondsAgo === undefined) return false;
  const lastedSeconds = now() / 1000 - beganAtSeconds;
  return signedInSecondsAgo >= -LATE_SECONDS && signedInSecondsAgo <= lastedSeconds + LATE_SECONDS;
}
