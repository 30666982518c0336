import { call, type Problem } from '../../ui/api/api.ts';
import { sessionExistsIn, type SessionExists } from '../../ui/session-exists/session-exists.ts';
import type { Answer } from '../api/call-api.ts';
import type { Me } from '../api/console-context.ts';

export interface Setup {
  Secret: string;
  OtpAuthUri: string;
}

/** The kinds of second factors. */
export type SecondFactor = 'Totp' | 'RecoveryCode' | 'Passkey';

/** The challenge that one of the account's passkeys must sign. */
export type PasskeyOptions = PublicKeyCredentialRequestOptionsJSON;

/** The present step of the sign-in. */
export type Step =
  | { kind: 'credentials' }
  | {
      kind: 'second-factor';
      token: string;
      factors: readonly SecondFactor[];
      passkey?: PasskeyOptions | undefined;
      setup?: Setup;
    }
  | { kind: 'recovery-codes'; codes: readonly string[]; me: Me }
  | { kind: 'exists'; exists: SessionExists; isSignOn?: boolean }
  | { kind: 'done'; me: Me };

/** Sends a step to the API, and passes the next step to `onStep`. Returns the problem if the API refuses. */
export async function takeStep(body: object, onStep: (step: Step) => void): Promise<Problem | undefined> {
  const result = await call<Answer<'POST /console/session'>>('POST', '/console/session', body);
  if (!result.ok) {
    const exists = sessionExistsIn(result.problem);
    if (exists !== undefined) onStep({ kind: 'exists', exists });
    return exists === undefined ? result.problem : undefined;
  }
  const { value } = result;
  if ('TwoFactorToken' in value) {
    onStep({ kind: 'second-factor', token: value.TwoFactorToken, ...factorsOf(value) });
    return undefined;
  }
  const { RecoveryCodes: codes, ...me } = value;
  onStep(codes === undefined ? { kind: 'done', me } : { kind: 'recovery-codes', codes, me });
  return undefined;
}

/** The second factors that the account can use. If it has none, an authenticator app must be set up. */
function factorsOf(value: Exclude<Answer<'POST /console/session'>, Me>) {
  if ('TwoFactorSetup' in value) return { factors: [], setup: value.TwoFactorSetup };
  const { SecondFactors, PasskeyOptions: options } = value;
  // The browser's type has mutable arrays, but browsers do not modify the options.
  return { factors: SecondFactors, passkey: options as PasskeyOptions | undefined };
}
