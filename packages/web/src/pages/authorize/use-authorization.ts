import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { isAddress } from '../../ui/fragment.ts';
import { onTheWay, thisPage } from '../login/destination.ts';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import { keepSince, keptSince, type Authorization } from './authorization.ts';

/**
 * Sends the request for a sign-in in the address of this page to the service, and follows the response: to the login page,
 * which leads back to exactly this address, or to the app.
 */
export function useAuthorization() {
  const { route } = useLocation();
  const { setEmail } = usePageState();
  // Unchanged, because the service compares it; absent while the page is rendered at build time.
  const [request] = useState(() => globalThis.location.search.slice(1));
  const [answer, setAnswer] = useState<Authorization>();
  const [problem, setProblem] = useState<Problem>();

  const follow = (next: Authorization): void => {
    if ('Since' in next) keepSince(request, next.Since, () => sessionStorage);
    if (next.Kind !== 'Login' || next.Prompt !== undefined) {
      setAnswer(next);
      if (next.Kind === 'Redirect') location.replace(next.Location);
      return;
    }
    if (next.LoginHint !== undefined && isAddress(next.LoginHint)) setEmail(next.LoginHint);
    route(onTheWay(PATHS.login, { returnUrl: thisPage(), sessionTag: next.SessionTag }), true);
  };
  /** Sends the request with the visitor's consent, or with a proof of identity. Returns the error, if there is one. */
  const send = async (more: object = {}): Promise<Problem | undefined> => {
    const Since = keptSince(request, () => sessionStorage);
    const body = { Request: request, Since, ...more };
    const result = await call<Authorization>('POST', '/oauth/authorization', body);
    if (!result.ok) return result.problem;
    setProblem(undefined);
    follow(result.value);
    return undefined;
  };
  const begin = async (): Promise<void> => setProblem(await send());
  useEffect(() => void begin(), []);
  return { request, answer, problem, send, begin };
}
