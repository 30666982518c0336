/** The caller's role in the service (the access token's `role` claim). */
export const ROLES = ['User', 'Guest', 'Service', 'Feed', 'Admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The roles that a static API token can have: it represents an environment, not a person. `Feed`, for services that
 * only check tokens, may call only the routes that name it.
 */
export const STATIC_TOKEN_ROLES = ['Service', 'Feed', 'Admin'] as const satisfies readonly Role[];
export type StaticTokenRole = (typeof STATIC_TOKEN_ROLES)[number];

/** Why a login returns no tokens, or not yet. */
export const LoginStatus = {
  TwoFactorSetupRequired: 1,
  TwoFactorCodeRequired: 2,
  IsDisabled: 3,
  IsPendingEmailConfirmation: 4,
  IsPendingNewAccountSignup: 5,
  IsPendingAccountMigrationSignup: 6,
  IsPendingNewPassword: 7,
  IsExpired: 8,
  IsPendingInvitation: 9,
} as const;
export type LoginStatus = (typeof LoginStatus)[keyof typeof LoginStatus];

/**
 * A code for each condition in which an account gets no tokens: for errors, and for the URL to which a sign-on returns.
 */
export const CONDITION_CODES = {
  [LoginStatus.IsDisabled]: 'account_disabled',
  [LoginStatus.IsPendingEmailConfirmation]: 'email_confirmation_pending',
  [LoginStatus.IsPendingNewAccountSignup]: 'signup_pending',
  [LoginStatus.IsPendingAccountMigrationSignup]: 'migration_pending',
  [LoginStatus.IsPendingNewPassword]: 'new_password_required',
  [LoginStatus.IsExpired]: 'account_expired',
  [LoginStatus.IsPendingInvitation]: 'invitation_pending',
} as const satisfies Partial<Record<LoginStatus, string>>;

/** The status of a session. */
export const SessionStatus = {
  Normal: 1,
  ChatDisabled: 2,
  SessionReplaced: 3,
  Deactivated: 4,
  SharedAccess: 5,
  PendingInvite: 6,
  Expired: 7,
  DeletedInvite: 8,
} as const;
export type SessionStatus = (typeof SessionStatus)[keyof typeof SessionStatus];

/** Why a session ended. */
export const END_REASONS = [
  'logout',
  'provider_logout',
  'expired',
  'replaced',
  'administrator',
  'password_changed',
  'password_reset',
  'email_taken_back',
  'new_password_required',
  'two_factor_enabled',
  'two_factor_removed',
  'two_factor_required',
  'passkey_removed',
  'identity_unlinked',
  'refresh_token_reused',
  'account_disabled',
  'account_expired',
  'account_erased',
  'role_changed',
  'access_revoked',
  'invitation_accepted',
  'invited_anew',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** The result of a ping. */
export const PingStatus = {
  Normal: 1,
  ChatDisabled: 2,
  AccountExpired: 3,
  SessionDeactivated: 4,
} as const;
export type PingStatus = (typeof PingStatus)[keyof typeof PingStatus];

/** The statuses in which a session gives access. */
export const ACTIVE_STATUSES = [
  SessionStatus.Normal,
  SessionStatus.ChatDisabled,
  SessionStatus.SharedAccess,
] as const;

export function isActive(status: SessionStatus): boolean {
  return (ACTIVE_STATUSES as readonly SessionStatus[]).includes(status);
}
