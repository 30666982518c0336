import { useEffect, useState } from 'preact/hooks';
import { call, NOT_LOADED, type Problem, problemText } from '../../ui/api.ts';
import type { Fragment } from '../../ui/browser.ts';
import { type MessageKey, useText } from '../../ui/locale.ts';
import { sessionExistsIn } from '../../sign-in/session-exists.ts';
import { useFragment, usePageState } from '../page-state.ts';
import type { Return } from './destination.ts';
import type { Step } from './steps.ts';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'gatehouse-sign-on';

/**
 * Returns the URL where a sign-on at an identity provider begins. `isFresh`: the provider must authenticate the user
 * again. `locale`: the language of the page, for a new account. This tab stores where to go afterwards, whether to stay signed in, and a random value that must come back with
 * the response, so that a link with an attacker's code signs nobody in.
 */
export function beginSignOn(
  loginUrl: string,
  { isFresh = false, locale, ...login }: { back: Return; keep: boolean; locale: string; isFresh?: boolean },
  store: Store,
): string {
  const state = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  store.setItem(KEPT, JSON.stringify({ state, ...login }));
  const { sessionTag } = login.back;
  const tag = sessionTag !== undefined && { sessionTag };
  const asked = { pages: 'true', ...(isFresh && { fresh: 'true' }), ...tag, state, locale };
  return `${loginUrl}?${new URLSearchParams(asked).toString()}`;
}

/** The result of a sign-on: a code for its session, or the reason why there is none. */
type SignOn = ({ code: string; keep: boolean } | { error: string }) & { back?: Return };

/** Reads the result of a sign-on from the address. It is invalid if this tab has not begun or already finished it. */
export function takeSignOn(said: Fragment, storeOf: () => Store): SignOn | undefined {
  const { HandoverCode: code, SignOnError: error, State: state } = said;
  if (code === undefined && error === undefined) return undefined;
  const store = storeOf();
  const kept = keptIn(store);
  if (kept === undefined || kept.state !== state) return { error: 'invalid_attempt' };
  store.removeItem(KEPT);
  const { back, keep } = kept;
  return {
    ...(code !== undefined && error === undefined ? { code, keep } : { error: error ?? 'invalid_attempt' }),
    back,
  };
}

function keptIn(store: Store): { state: string; back: Return; keep: boolean } | undefined {
  const text = store.getItem(KEPT);
  // Only pages of this origin can write it, and they only do so with the function above.
  return text === null ? undefined : (JSON.parse(text) as { state: string; back: Return; keep: boolean });
}

/**
 * Completes the sign-on that opened this page: exchanges its code for a cookie, or shows why there is none.
 *
 * @param onEnd called with the next step of the login.
 */
export function useSignOn(onEnd: (step: Step) => void) {
  const text = useText();
  const said = useFragment();
  const { forgetFragment } = usePageState();
  const [signOn] = useState(() => takeSignOn(said, () => sessionStorage));
  const [failure, setFailure] = useState(() =>
    signOn !== undefined && 'error' in signOn ? text(signOnFailure(signOn.error)) : undefined,
  );
  const exchange = async (HandoverCode: string, KeepSignedIn: boolean): Promise<Problem | undefined> => {
    const wanted = { HandoverCode, KeepSignedIn, InPlaceOfOthers: true };
    const result = await call('POST', '/account/handover/exchange', wanted);
    const exists = result.ok ? undefined : sessionExistsIn(result.problem);
    if (!result.ok && exists === undefined) return result.problem;
    onEnd(exists === undefined ? { kind: 'done' } : { kind: 'session-exists', exists });
    return undefined;
  };
  const finish = async (code: string, keep: boolean): Promise<void> => {
    const problem = await exchange(code, keep);
    if (problem === undefined) return;
    setFailure(problemText(problem, text, { ...NOT_LOADED, invalid_code: 'signOn.invalid_attempt' }));
    onEnd({ kind: 'credentials' });
  };
  useEffect(() => {
    if (signOn === undefined) return;
    forgetFragment();
    if ('code' in signOn) void finish(signOn.code, signOn.keep);
  }, []);
  return {
    isUnderWay: signOn !== undefined && 'code' in signOn,
    back: signOn?.back,
    /** Ends the session that is in the way of this sign-on, with the token that says so. */
    takeOver:
      signOn !== undefined && 'code' in signOn ? (token: string) => exchange(token, signOn.keep) : undefined,
    failure,
  };
}

/** The text for an error code of docs/sso.md. */
export function signOnFailure(code: string): MessageKey {
  return FAILURES.find((key) => key === `signOn.${code}`) ?? 'signOn.provider_error';
}

const FAILURES: readonly MessageKey[] = [
  'signOn.access_denied',
  'signOn.invalid_attempt',
  'signOn.provider_unavailable',
  'signOn.too_many_requests',
  'signOn.account_exists',
  'signOn.email_missing',
  'signOn.email_not_verified',
  'signOn.domain_not_allowed',
  'signOn.not_provisioned',
  'signOn.guest_not_allowed',
  'signOn.sign_on_not_fresh',
  'signOn.two_factor_required',
  'signOn.new_password_required',
  'signOn.account_disabled',
  'signOn.account_expired',
  'signOn.signup_pending',
  'signOn.migration_pending',
  'signOn.email_confirmation_pending',
  'signOn.invitation_pending',
];
