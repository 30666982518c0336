import {
  codeBySso,
  confirmBySso,
  loginBySso,
  newConsoleCode,
  proveIdentityLink,
  useSsoAttempt,
  withSignOnThrottle,
  type CheckResult,
  type SsoRefusal,
  type SsoRules,
} from '@gatehouse/accounts';
import type { RequestFacts } from '@gatehouse/http';
import type { Deps } from '../../deps.ts';
import type { Attempt } from './attempts.ts';
import type { ProviderRefusal } from '../provider/provider-fault.ts';
import type { Provider, IdentifiedPerson } from '../provider/provider.ts';

type Refusal = SsoRefusal | ProviderRefusal | 'invalid_attempt' | 'sign_on_not_fresh' | 'too_many_requests';

/** The result for the browser: the tokens, the code for an app or one of our pages, or an error. */
type Ended =
  | { kind: 'ended'; told: Record<string, string> }
  | { kind: 'refused'; reason: Refusal; accountId?: string | undefined };

/** A person who has returned from the provider. */
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
export async function finishAttempt(
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
  request.addToLog({ provider: provider.settings.id, refusal: ended.reason });
  recordRefusal(deps, provider, attempt, ended, request);
  return { error: ended.reason };
}

/** Only sign-ins are recorded: a confirmation and a link belong to somebody who is signed in. */
function recordRefusal(
  { signIns }: Pick<Deps, 'signIns'>,
  { settings }: Provider,
  { end }: Attempt,
  { reason, accountId }: Extract<Ended, { kind: 'refused' }>,
  { address, addressGroup, userAgent, traceId }: RequestFacts,
): void {
  if (end === 'confirmation' || end === 'link' || reason === 'sign_on_not_fresh') return;
  signIns.refused(
    { accountId, method: 'SignOn', provider: settings.id, address, addressGroup, userAgent, traceId },
    reason === 'too_many_requests' ? 'throttled' : reason,
  );
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
  const isFirst = await useSsoAttempt(deps, attempt, request);
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

async function confirm(
  deps: Deps,
  { provider, attempt, recognised, rules, request }: Arrival,
): Promise<Ended> {
  if (!isFresh(deps, attempt, recognised)) return refused('sign_on_not_fresh');
  const { code, keep } = newConsoleCode('confirmation');
  const person = { ...recognised.person, expiresAtSeconds: attempt.expiresAtSeconds };
  const confirmed = await confirmBySso(deps, rules, person, originOf(request), keep);
  if (confirmed.kind === 'refused') return confirmed;
  request.addToLog({ provider: provider.settings.id, accountId: confirmed.accountId });
  return { kind: 'ended', told: { SignOnCode: code } };
}

async function proveLink(
  deps: Deps,
  { provider, attempt, recognised, rules, request }: Arrival,
): Promise<Ended> {
  const { person, fault, signedInSecondsAgo } = recognised;
  // Another person may be signed in at the provider. Not every provider reports when it authenticated the user.
  if (signedInSecondsAgo !== undefined && !isFresh(deps, attempt, recognised))
    return refused('sign_on_not_fresh');
  const proof = await proveIdentityLink(deps, rules, person, attempt.link ?? '', originOf(request));
  switch (proof.kind) {
    case 'over':
      return refused('invalid_attempt');
    case 'refused':
      return refused(proof.reason === 'email_missing' ? (fault ?? proof.reason) : proof.reason);
    case 'proved':
      request.addToLog({ provider: provider.settings.id });
      return { kind: 'ended', told: { IdentityCode: proof.code } };
  }
}

async function signIn(
  deps: Deps,
  { provider, attempt, recognised, rules, request }: Arrival,
): Promise<Ended> {
  const { id } = provider.settings;
  const { person, fault, signedInSecondsAgo } = recognised;
  const arrival = {
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
      ? await loginBySso(deps, rules, arrival, { ...origin, tag: sessionTag })
      : await codeBySso(deps, rules, arrival, { ...use, sessionTag }, origin);
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

/**
 * Whether the provider authenticated the user during this sign-on, instead of using an existing session. Both times
 * that it reports are by its own clock, so only their difference is used.
 */
function isFresh(
  { now }: Pick<Deps, 'now'>,
  { beganAtSeconds }: Attempt,
  { signedInSecondsAgo }: IdentifiedPerson,
): boolean {
  if (signedInSecondsAgo === undefined) return false;
  const lastedSeconds = now() / 1000 - beganAtSeconds;
  return signedInSecondsAgo >= -LATE_SECONDS && signedInSecondsAgo <= lastedSeconds + LATE_SECONDS;
}
