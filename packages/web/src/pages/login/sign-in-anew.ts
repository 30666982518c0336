import { call } from '../../ui/api/api.ts';
import type { LoginAnswer } from './login-answer.ts';

/** Signs in with a password that was just chosen. `false` if a login needs more, for which the login page asks. */
export async function signInAnew(username: string, password: string): Promise<boolean> {
  const body = { Username: username, Password: password, Delivery: 'Cookie' };
  const result = await call<LoginAnswer>('POST', '/account/login', body);
  return result.ok && result.value.TwoFactorToken === undefined;
}
