import { canUsePasskeys } from '../../ui/passkey/passkey.ts';
import type { SecondFactors } from './login-answer.ts';

/** The factor that the second step asks for. */
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
