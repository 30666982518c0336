import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../../ui/api/api.ts';
import { useText, type MessageKey } from '../../../ui/locale/locale.ts';
import { problemText } from '../../../ui/api/problem-text.ts';
import { sessionExistsIn } from '../../../ui/session-exists/session-exists.ts';
import { usePageState, useFragment } from '../../page-state.ts';
import type { Step } from '../login-answer.ts';
import { takeSignOn } from './sign-on.ts';

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
    onEnd(exists === undefined ? { kind: 'done' } : { kind: 'exists', exists });
    return undefined;
  };
  const finish = async (code: string, keep: boolean): Promise<void> => {
    const problem = await exchange(code, keep);
    if (problem === undefined) return;
    setFailure(problemText(problem, text, EXPLANATIONS));
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

const EXPLANATIONS = {
  invalid_code: 'signOn.invalid_attempt',
  unavailable: 'own.unavailable',
  offline: 'own.offline',
} as const;

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
