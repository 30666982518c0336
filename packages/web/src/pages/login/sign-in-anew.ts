import { call } from '../../ui/api.ts';
import { usePageState } from '../page-state.ts';
import { continueLogin, type LoginAnswer, type Step } from './steps.ts';

/**
 * Signs in with a password that was just chosen. Returns whether this is done; if the login needs more, such as a second
 * factor, the login page goes on from there.
 */
export function useSignInAnew(): (username: string, password: string) => Promise<boolean> {
  const { setBegun } = usePageState();
  return async (username, password) => {
    const body = { Username: username, Password: password, Delivery: 'Cookie' };
    let next: Step | undefined;
    continueLogin(await call<LoginAnswer>('POST', '/account/login', body), (step) => void (next = step));
    const isDone = next?.kind === 'signed-in';
    setBegun(isDone ? undefined : next);
    return isDone;
  };
}
