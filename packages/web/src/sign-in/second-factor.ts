import type {
  PasskeyRequestOptions,
  TwoFactorCodeRequired,
  TwoFactorSetup,
  TwoFactorSetupRequired,
} from 'gatehouse-client';
import { canUsePasskeys } from './passkey.ts';

/** The response to a login that needs a second step, or that set up a second factor. */
export type SecondFactorAnswer = Partial<
  Omit<TwoFactorCodeRequired, 'LoginStatus'> & Omit<TwoFactorSetupRequired, 'LoginStatus'>
>;

/** The second factors that are accepted after the password, and the options for signing with a passkey. */
interface SecondFactors {
  names: readonly string[];
  passkey?: Pick<PasskeyRequestOptions, 'challenge'> | undefined;
}

/** The step that an answer asks for; an account without a second factor that needs one sets it up. */
export type FactorStep =
  | { kind: 'second-factor'; token: string; factors: SecondFactors }
  | { kind: 'two-factor-setup'; token: string; setup: TwoFactorSetup };

/** `undefined` for an answer that needs no second factor. */
export function factorStepOf({
  TwoFactorToken: token,
  TwoFactorSetup: setup,
  SecondFactors: names = [],
  PasskeyOptions: passkey,
}: SecondFactorAnswer): FactorStep | undefined {
  if (token === undefined) return undefined;
  return setup === undefined
    ? { kind: 'second-factor', token, factors: { names, passkey } }
    : { kind: 'two-factor-setup', token, setup };
}

export type Factor = 'Totp' | 'RecoveryCode' | 'Passkey';

/** The factor that is offered first: a code of the authenticator app if there is one, a recovery code last. */
export function firstFactor(factors: SecondFactors, hasPasskeys = canUsePasskeys()): Factor {
  if (factors.names.includes('Totp')) return 'Totp';
  return hasPasskeys && factors.passkey !== undefined ? 'Passkey' : 'RecoveryCode';
}

/** The other factors that the user may choose. Passkeys are not included: they always have a separate button. */
export function otherFactors({ names }: SecondFactors, asked: Factor): Exclude<Factor, 'Passkey'>[] {
  return TYPED.filter((factor) => factor !== asked && names.includes(factor));
}

const TYPED = ['Totp', 'RecoveryCode'] as const;
