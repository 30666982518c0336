import type { Problem, Result } from '../../ui/api.ts';

/** What a login is answered with: a cookie, or what is needed besides. */
export interface LoginAnswer {
  ExpirationSeconds?: number;
  LoginStatus?: number;
  TwoFactorToken?: string;
  TwoFactorSetup?: { Secret: string; OtpAuthUri: string };
  RecoveryCodes?: string[];
}

/** Where a login stands. */
export type Step =
  | { kind: 'credentials' }
  | { kind: 'sign-on' }
  | { kind: 'code'; token: string }
  | { kind: 'set-up'; token: string; setup: NonNullable<LoginAnswer['TwoFactorSetup']> }
  | { kind: 'recovery-codes'; codes: string[] }
  | { kind: 'condition'; status: number }
  | { kind: 'done' };

/** What comes after an answer (docs/pages.md). */
function stepAfter({
  TwoFactorToken: token,
  TwoFactorSetup: setup,
  RecoveryCodes: codes,
}: LoginAnswer): Step {
  if (token !== undefined)
    return setup === undefined ? { kind: 'code', token } : { kind: 'set-up', token, setup };
  return codes === undefined ? { kind: 'done' } : { kind: 'recovery-codes', codes };
}

/** Goes on with what a login was answered with; a refusal that no step is made for is given back. */
export function handOn(result: Result<LoginAnswer>, onStep: (step: Step) => void): Problem | undefined {
  if (result.ok) onStep(stepAfter(result.value));
  else if (result.problem.LoginStatus === undefined) return result.problem;
  else onStep({ kind: 'condition', status: result.problem.LoginStatus });
  return undefined;
}
