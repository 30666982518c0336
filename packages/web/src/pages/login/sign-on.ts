import { useEffect, useState } from 'preact/hooks';
import { beginSignOn, signOnFailure, takeSignOn } from '../../sign-in/sign-on.ts';
import { call, NOT_LOADED, type Problem, problemText } from '../../ui/api.ts';
import { pageData, text } from '../../ui/locale.ts';
import { sessionExistsIn } from '../../sign-in/session-exists.ts';
import { useFragment, usePageState } from '../page-state.ts';
import type { Return } from './destination.ts';
import type { Step } from './steps.ts';

/** What a sign-on from the login page comes back to. */
interface Kept {
  back: Return;
  keep: boolean;
}

/**
 * The address of a provider's sign-on that comes back to the pages. `isFresh`: the provider must authenticate the user
 * again.
 */
export function signOnAddress(
  loginUrl: string,
  { isFresh = false, ...kept }: Kept & { isFresh?: boolean },
): string {
  const { sessionTag } = kept.back;
  const tag = sessionTag !== undefined && { sessionTag };
  const query = { pages: 'true', ...(isFresh && { fresh: 'true' }), ...tag, locale: pageData.Locale };
  return beginSignOn(loginUrl, query, kept, sessionStorage);
}

/**
 * Completes the sign-on that opened this page: exchanges its code for a cookie, or shows why there is none.
 *
 * @param onEnd called with the next step of the login.
 */
export function useSignOn(onEnd: (step: Step) => void) {
  const said = useFragment();
  const { forgetFragment } = usePageState();
  const [signOn] = useState(() => takeSignOn<Kept>(said['HandoverCode'], said, () => sessionStorage));
  const [failure, setFailure] = useState(() =>
    signOn !== undefined && 'error' in signOn ? signOnFailure(signOn.error) : undefined,
  );
  const keep = signOn?.kept?.keep === true;
  const exchange = async (HandoverCode: string): Promise<Problem | undefined> => {
    const wanted = { HandoverCode, KeepSignedIn: keep, InPlaceOfOthers: true };
    const result = await call('POST', '/account/handover/exchange', wanted);
    const exists = result.ok ? undefined : sessionExistsIn(result.problem);
    if (!result.ok && exists === undefined) return result.problem;
    onEnd(exists === undefined ? { kind: 'done' } : { kind: 'session-exists', exists });
    return undefined;
  };
  const finish = async (code: string): Promise<void> => {
    const problem = await exchange(code);
    if (problem === undefined) return;
    setFailure(problemText(problem, text, { ...NOT_LOADED, invalid_code: 'signOn.failed.invalid_attempt' }));
    onEnd({ kind: 'credentials' });
  };
  useEffect(() => {
    if (signOn === undefined) return;
    forgetFragment();
    if ('code' in signOn) void finish(signOn.code);
  }, []);
  return {
    isUnderWay: signOn !== undefined && 'code' in signOn,
    back: signOn?.kept?.back,
    /** Ends the session that is in the way of this sign-on, with the token that says so. */
    takeOver: signOn !== undefined && 'code' in signOn ? exchange : undefined,
    failure,
  };
}
