import type { LoginStatus } from '@gatehouse/client';
import type { Problem, Result } from '../../ui/api/api.ts';

/** What a login is answered with: a cookie, or what is needed besides. */
export interface LoginAnswer {
  ExpirationSeconds?: number;
  LoginStatus?: number;
  TwoFactorToken?: string;
  TwoFactorSetup?: { Secret: string; OtpAuthUri: string };
  RecoveryCodes?: string[];
  SecondFactors?: string[];
  PasskeyOptions?: PublicKeyCredentialRequestOptionsJSON;
}

/** What can be shown after a right password, and what a passkey has to sign for it. */
export interface SecondFactors {
  names: readonly string[];
  passkey?: PublicKeyCredentialRequestOptionsJSON | undefined;
}

/** Where a login stands. */
export type Step =
  | { kind: 'credentials' }
  | { kind: 'sign-on' }
  | { kind: 'code'; token: string; factors: SecondFactors }
  | { kind: 'set-up'; token: string; setup: NonNullable<LoginAnswer['TwoFactorSetup']> }
  | { kind: 'recovery-codes'; codes: string[] }
  | { kind: 'condition'; status: LoginStatus }
  | { kind: 'signed-in' }
  | { kind: 'offer' }
  | { kind: 'done' };

/** What comes after an answer (docs/pages.md). */
function stepAfter({
  TwoFactorToken: token,
  TwoFactorSetup: setup,
  RecoveryCodes: codes,
  SecondFactors: names = WITHOUT_PASSKEYS,
  PasskeyOptions: passkey,
}: LoginAnswer): Step {
  if (token !== undefined)
    return setup === undefined
      ? { kind: 'code', token, factors: { names, passkey } }
      : { kind: 'set-up', token, setup };
  return codes === undefined ? { kind: 'signed-in' } : { kind: 'recovery-codes', codes };
}

/** As services of the release before answer. */
const WITHOUT_PASSKEYS = ['Totp', 'RecoveryCode'];

/** Goes on with what a login was answered with; a refusal that no step is made for is given back. */
export function handOn(result: Result<LoginAnswer>, onStep: (step: Step) => void): Problem | undefined {
  if (result.ok) onStep(stepAfter(result.value));
  else if (result.problem.LoginStatus === undefined) return result.problem;
  else onStep({ kind: 'condition', status: result.problem.LoginStatus });
  return undefined;
}
