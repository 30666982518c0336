import { canUsePasskeys } from '../../ui/passkey/passkey.ts';
import type { SecondFactors } from './login-answer.ts';

/** What the step of the second factor asks for. */
export type Factor = 'Totp' | 'RecoveryCode' | 'Passkey';

/** The factor that is offered first: an app's code if there is one; a recovery code last. */
export function firstFactor(factors: SecondFactors, hasPasskeys = canUsePasskeys()): Factor {
  if (factors.names.includes('Totp')) return 'Totp';
  return hasPasskeys && factors.passkey !== undefined ? 'Passkey' : 'RecoveryCode';
}

/** What may be shown in its place by choosing it; a passkey has a button of its own, whatever is asked for. */
export function otherFactors({ names }: SecondFactors, asked: Factor): Exclude<Factor, 'Passkey'>[] {
  return TYPED.filter((factor) => factor !== asked && names.includes(factor));
}

const TYPED = ['Totp', 'RecoveryCode'] as const;
