import { CONDITION_CODES } from './statuses.ts';

/** How somebody signed in, or tried to; `SignOn`: through an identity provider. */
export const SIGN_IN_METHODS = ['Password', 'MailCode', 'Passkey', 'SignOn'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/**
 * How a sign-in ended; `SecondFactorAsked`: the password was right, and the second factor comes with another request,
 * or never.
 */
export const SIGN_IN_RESULTS = ['Succeeded', 'Refused', 'SecondFactorAsked'] as const;
export type SignInResult = (typeof SIGN_IN_RESULTS)[number];

/** Why a sign-in was refused: the reasons of the statistics, and the codes of refused sign-ons. */
export const SIGN_IN_REASONS = [
  'password',
  'second-factor',
  'passkey',
  'mail-code',
  'take-over',
  'throttled',
  'forbidden',
  ...Object.values(CONDITION_CODES),
  'session_exists',
  'account_exists',
  'domain_not_allowed',
  'email_missing',
  'email_not_verified',
  'guest_not_allowed',
  'not_administrator',
  'not_provisioned',
  'two_factor_required',
  'invalid_attempt',
  'access_denied',
  'provider_error',
  'provider_unavailable',
  'several',
] as const;
export type SignInReason = (typeof SIGN_IN_REASONS)[number];
