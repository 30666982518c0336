import type { LoginResponse } from '../api/api-types.ts';
import type { GatehouseError, ownError } from '../api/gatehouse-error.ts';
import type { ServerCalls } from '../api/server-calls.ts';
import { existsOf } from './session-exists.ts';
import type { LoginOutcome, Open, Refused } from './login.ts';

interface Deps {
  server: Pick<ServerCalls, 'core'>;
  now: () => number;
  sessionTag: string | undefined;
  ownError: typeof ownError;
  open: Open;
  /** Begins another login. */
  logIn: (body: object) => Promise<LoginOutcome>;
}

/** Sends one step of a login, and opens the session if the response contains tokens. */
export async function sendLogin(body: object, deps: Deps): Promise<LoginOutcome> {
  const { server, now, sessionTag, ownError, open, logIn } = deps;
  const askedAt = now();
  const tagged = sessionTag === undefined ? body : { ...body, SessionTag: sessionTag };
  let answer: LoginResponse;
  try {
    answer = (await server.core('/account/login', tagged)) as LoginResponse; // as documented
  } catch (error) {
    const failure = error as GatehouseError; // the only error of these calls
    return existsOf(failure, (token) => logIn({ TakeOverToken: token })) ?? refusalOf(failure);
  }
  const next = nextStepOf(answer);
  if (next !== undefined) return next;
  // The API returns a cookie instead of tokens only if the request asks for one.
  if (!('Token' in answer)) throw ownError('unexpected');
  const { Token: token, RefreshToken: refreshToken } = answer;
  const codes = 'RecoveryCodes' in answer ? { recoveryCodes: answer.RecoveryCodes } : {};
  return { kind: 'signed-in', session: await open({ token, refreshToken, askedAt }), ...codes };
}

/** Converts an error to an outcome. Rethrows errors that are none: no response, or an invalid request. */
function refusalOf(error: GatehouseError): Refused {
  const { code, loginStatus, retryAfterSeconds } = error;
  if (loginStatus !== undefined || code === 'authentication_failed' || code === 'too_many_requests') {
    return { kind: 'refused', code, loginStatus, retryAfterSeconds } as Refused; // the API has no other combinations
  }
  throw error;
}

/** The next step of the login, if the response does not contain tokens. */
function nextStepOf(answer: LoginResponse): LoginOutcome | undefined {
  if (!('TwoFactorToken' in answer)) return undefined;
  const { TwoFactorToken: token } = answer;
  if ('TwoFactorSetup' in answer) {
    return { kind: 'set-up-second-factor', token, setup: answer.TwoFactorSetup };
  }
  const { SecondFactors: methods, PasskeyOptions: passkeyOptions } = answer;
  return { kind: 'second-factor', token, methods, passkeyOptions };
}
