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

/** The tokens of a session that a sign-on opened. */
export const RenewalAnswer = Type.Object({ token: Type.String(), refreshToken: Type.String() });

/** Why there may be none. */
export const RENEWAL_ERRORS = [
  'not_found',
  'token_invalid',
  ...SESSION_REFUSALS,
  'email_confirmation_pending',
  'signup_pending',
  'migration_pending',
  'new_password_required',
  'invitation_pending',
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
