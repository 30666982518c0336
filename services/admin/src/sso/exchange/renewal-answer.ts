import type { SsoRenewal } from '@gatehouse/accounts';
import {
  accountCondition,
  refusedCaller,
  SESSION_REFUSALS,
  type ApiError,
  type ErrorCode,
  type Refuse,
} from '@gatehouse/http';
import { Type } from '@gatehouse/schema';

/** The tokens of a session that was opened by a sign-on. */
export const RenewalAnswer = Type.Object({ token: Type.String(), refreshToken: Type.String() });

/** The errors if the account waits for something. */
export const CONDITION_ERRORS = [
  'email_confirmation_pending',
  'signup_pending',
  'migration_pending',
  'new_password_required',
  'invitation_pending',
] as const satisfies readonly ErrorCode[];

/** The errors if no tokens are issued. */
export const RENEWAL_ERRORS = [
  'not_found',
  'token_invalid',
  ...SESSION_REFUSALS,
  ...CONDITION_ERRORS,
] as const satisfies readonly ErrorCode[];

export function refusedRenewal(
  refuse: Refuse<(typeof RENEWAL_ERRORS)[number]>,
  renewal: Exclude<SsoRenewal, { kind: 'renewed' }>,
): ApiError {
  switch (renewal.kind) {
    case 'condition':
      return accountCondition(refuse, renewal.condition);
    case 'refused':
      return refusedCaller(refuse, renewal);
  }
}
