import { useEffect, useState } from 'preact/hooks';
import { sessionExistsIn } from '../../sign-in/answers.ts';
import { beginSignOn, signOnFailure, takeSignOn } from '../../sign-in/sign-on.ts';
import { call, NOT_LOADED, type Problem, problemText } from '../../ui/api.ts';
import { pageData, text } from '../../ui/locale.ts';
import { useFragment, usePageState } from '../page-state.ts';
import type { Return } from '../paths.ts';
import type { Login } from './steps.ts';

/** What a sign-on from the login page comes back to. */
interface Kept {
  back: Return;
  keep: boolean;
}

/** Where a provider's sign-on begins that comes back to the pages. `isFresh`: it must authenticate the user again. */
export function signOnAddress(loginUrl: string, { isFresh, ...kept }: Kept & { isFresh: boolean }): string {
  const { sessionTag } = kept.back;
  const tag = sessionTag !== undefined && { sessionTag };
  const query = { pages: 'true', ...(isFresh && { fresh: 'true' }), ...tag, locale: pageData.Locale };
  return beginSignOn(loginUrl, query, kept, sessionStorage);
}

/** Completes the sign-on that opened this page: exchanges its code for a cookie, or shows why there is none. */
export function useSignOn(go: Login['go']) {
  const said = useFragment();
  const { forgetFragment } = usePageState();
  const [signOn] = useState(() => takeSignOn<Kept>(said['HandoverCode'], said, () => sessionStorage));
  const code = signOn !== undefined && 'code' in signOn ? signOn.code : undefined;
  const [failure, setFailure] = useState(() =>
    signOn !== undefined && 'error' in signOn ? signOnFailure(signOn.error) : undefined,
  );
  const exchange = async (HandoverCode: string): Promise<Problem | undefined> => {
    const wanted = { HandoverCode, KeepSignedIn: signOn?.kept?.keep === true, InPlaceOfOthers: true };
    const result = await call('POST /account/handover/exchange', wanted);
    const exists = result.ok ? undefined : sessionExistsIn(result.problem);
    if (!result.ok && exists === undefined) return result.problem;
    go(exists === undefined ? { kind: 'done' } : { kind: 'session-exists', exists });
    return undefined;
  };
  const finish = async (handoverCode: string): Promise<void> => {
    const problem = await exchange(handoverCode);
    if (problem === undefined) return;
    setFailure(problemText(problem, text, { ...NOT_LOADED, invalid_code: 'signOn.failed.invalid_attempt' }));
    go({ kind: 'credentials' });
  };
  useEffect(() => {
    if (signOn !== undefined) forgetFragment();
    if (code !== undefined) void finish(code);
  }, []);
  return {
    isUnderWay: code !== undefined,
    back: signOn?.kept?.back,
    takeOver: code === undefined ? undefined : exchange,
    failure,
  };
}
