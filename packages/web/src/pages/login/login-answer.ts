import type { LoginStatus } from 'gatehouse-client';
import type { KeptRequest } from './email/kept-request.ts';
import type { Problem, Result } from '../../ui/api/api.ts';
import { sessionExistsIn, type SessionExists } from '../../ui/session-exists/session-exists.ts';

/** The response to a login: it sets a cookie, or says what else is required. */
export interface LoginAnswer {
  ExpirationSeconds?: number;
  LoginStatus?: number;
  TwoFactorToken?: string;
  TwoFactorSetup?: { Secret: string; OtpAuthUri: string };
  RecoveryCodes?: string[];
  SecondFactors?: string[];
  PasskeyOptions?: PublicKeyCredentialRequestOptionsJSON;
}

/** The second factors that are accepted after the password, and the options for signing with a passkey. */
export interface SecondFactors {
  names: readonly string[];
  passkey?: PublicKeyCredentialRequestOptionsJSON | undefined;
}

/** The current step of a login. */
export type Step =
  | { kind: 'credentials' }
  | { kind: 'sign-on' }
  | { kind: 'email' }
  | { kind: 'mail-code'; request: KeptRequest; code?: string }
  | { kind: 'elsewhere'; code: string }
  | { kind: 'code'; token: string; factors: SecondFactors }
  | { kind: 'set-up'; token: string; setup: NonNullable<LoginAnswer['TwoFactorSetup']> }
  | { kind: 'recovery-codes'; codes: string[] }
  | { kind: 'condition'; status: LoginStatus; ban: Ban }
  | { kind: 'exists'; exists: SessionExists }
  | { kind: 'signed-in' }
  | { kind: 'offer' }
  | { kind: 'done' };

/** Until when and why an account is disabled, if an administrator chose to tell its owner. */
export interface Ban {
  until?: string;
  reason?: string;
}

function banIn({ body: { DisabledUntil: until, DisabledReason: reason } }: Problem): Ban {
  return {
    ...(typeof until === 'string' && { until }),
    ...(typeof reason === 'string' && { reason }),
  };
}

/** The step after a response (docs/pages.md). */
function stepAfter({
  TwoFactorToken: token,
  TwoFactorSetup: setup,
  RecoveryCodes: codes,
  SecondFactors: names = [],
  PasskeyOptions: passkey,
}: LoginAnswer): Step {
  if (token !== undefined)
    return setup === undefined
      ? { kind: 'code', token, factors: { names, passkey } }
      : { kind: 'set-up', token, setup };
  return codes === undefined ? { kind: 'signed-in' } : { kind: 'recovery-codes', codes };
}

/** Continues with the response to a login. Returns the error if there is no step for it. */
export function continueLogin(
  result: Result<LoginAnswer>,
  onStep: (step: Step) => void,
): Problem | undefined {
  const exists = result.ok ? undefined : sessionExistsIn(result.problem);
  if (result.ok) onStep(stepAfter(result.value));
  else if (exists !== undefined) onStep({ kind: 'exists', exists });
  else if (result.problem.LoginStatus === undefined) return result.problem;
  else onStep({ kind: 'condition', status: result.problem.LoginStatus, ban: banIn(result.problem) });
  return undefined;
}
