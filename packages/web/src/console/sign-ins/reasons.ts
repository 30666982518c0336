import type { Input } from '../api/call-api.ts';

type Reason = NonNullable<NonNullable<Input<'GET /admin/sign-in'>['query']>['reason']>;

/** The type ensures that no reason of the API is missing. */
const EVERY_REASON: Readonly<Record<Reason, true>> = {
  password: true,
  'second-factor': true,
  passkey: true,
  'mail-code': true,
  'take-over': true,
  throttled: true,
  forbidden: true,
  account_disabled: true,
  account_expired: true,
  email_confirmation_pending: true,
  signup_pending: true,
  migration_pending: true,
  new_password_required: true,
  invitation_pending: true,
  session_exists: true,
  account_exists: true,
  domain_not_allowed: true,
  email_missing: true,
  email_not_verified: true,
  guest_not_allowed: true,
  not_administrator: true,
  not_provisioned: true,
  two_factor_required: true,
  invalid_attempt: true,
  access_denied: true,
  provider_error: true,
  provider_unavailable: true,
  several: true,
};

/** Why a sign-in can be refused (docs/sign-ins.md). */
export const REASONS = Object.keys(EVERY_REASON);
