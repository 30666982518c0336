import { call, type Problem } from '../../ui/api/api.ts';
import type { Answer } from '../api/call-api.ts';
import type { Me } from '../api/console-context.ts';

export interface Setup {
  Secret: string;
  OtpAuthUri: string;
}

/** What can be shown after the password. */
export type SecondFactor = 'Totp' | 'RecoveryCode' | 'Passkey';

/** What one of the account's passkeys is to sign. */
export type PasskeyOptions = PublicKeyCredentialRequestOptionsJSON;

/** Where signing in stands. */
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
  | { kind: 'done'; me: Me };

/** Takes a step; a refusal is given back. */
export async function takeStep(body: object, onStep: (step: Step) => void): Promise<Problem | undefined> {
  const result = await call<Answer<'POST /console/session'>>('POST', '/console/session', body);
  if (!result.ok) return result.problem;
  const { value } = result;
  if ('TwoFactorToken' in value) {
    onStep({ kind: 'second-factor', token: value.TwoFactorToken, ...factorsOf(value) });
    return undefined;
  }
  const { RecoveryCodes: codes, ...me } = value;
  onStep(codes === undefined ? { kind: 'done', me } : { kind: 'recovery-codes', codes, me });
  return undefined;
}

/** By what the second step can be taken; an app is set up where there is nothing yet. */
function factorsOf(value: Exclude<Answer<'POST /console/session'>, Me>) {
  if ('TwoFactorSetup' in value) return { factors: [], setup: value.TwoFactorSetup };
  const { SecondFactors, PasskeyOptions: options } = value;
  // Browsers change nothing of it, though their type does not say so.
  return { factors: SecondFactors, passkey: options as PasskeyOptions | undefined };
}
