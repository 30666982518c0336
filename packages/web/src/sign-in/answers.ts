import type {
  ActiveSession,
  PasskeyRequestOptions,
  TwoFactorCodeRequired,
  TwoFactorSetupRequired,
} from 'gatehouse-client';
import type { Problem } from '../ui/api.ts';
import { canUsePasskeys } from './passkey.ts';

/** The response to a login that needs a second step, or that set up a second factor. */
export type SecondFactorAnswer = Partial<
  Omit<TwoFactorCodeRequired, 'LoginStatus'> & Omit<TwoFactorSetupRequired, 'LoginStatus'>
>;

/** The step that such a response asks for. */
export interface FactorStep {
  kind: 'second-factor';
  token: string;
  /** For an account without a second factor that needs one. */
  setup?: TwoFactorSetupRequired['TwoFactorSetup'] | undefined;
  names: readonly string[];
  passkey?: Pick<PasskeyRequestOptions, 'challenge'> | undefined;
}

export function factorStepOf(answer: SecondFactorAnswer): FactorStep | undefined {
  const { TwoFactorToken: token, TwoFactorSetup: setup, SecondFactors, PasskeyOptions: passkey } = answer;
  if (token === undefined) return undefined;
  const names = setup === undefined ? (SecondFactors ?? []) : ['Totp'];
  return { kind: 'second-factor', token, setup, names, passkey };
}

export type Factor = 'Totp' | 'RecoveryCode' | 'Passkey';

type Factors = Pick<FactorStep, 'names' | 'passkey'>;

/** The factor that is offered first: a code of the authenticator app if there is one, a recovery code last. */
export function firstFactor({ names, passkey }: Factors, hasPasskeys = canUsePasskeys()): Factor {
  if (names.includes('Totp')) return 'Totp';
  return hasPasskeys && passkey !== undefined ? 'Passkey' : 'RecoveryCode';
}

/** The other factors that the user may choose. Passkeys are not included: they always have a separate button. */
export function otherFactors({ names }: Factors, asked: Factor) {
  return (['Totp', 'RecoveryCode'] as const).filter((factor) => factor !== asked && names.includes(factor));
}

/** What a login found that has to end another session first. */
export interface SessionExists {
  /** Least recently seen first: this is the one that ends. */
  active: readonly ActiveSession[];
  token: string;
}

/** Reads the error `session_exists` (docs/sessions.md); `undefined` for any other error. */
export function sessionExistsIn({ code, body }: Problem): SessionExists | undefined {
  const { Active: active, TakeOverToken: token } = body;
  if (code !== 'session_exists' || !Array.isArray(active) || typeof token !== 'string') return undefined;
  return { active: active as ActiveSession[], token }; // as documented; other values are shown as text
}
