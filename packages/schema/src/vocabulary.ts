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

/** Codes of the conditions in which an account gets no tokens: in errors, and URLs to which a sign-on returns. */
export const CONDITION_CODES = {
  [LoginStatus.IsDisabled]: 'account_disabled',
  [LoginStatus.IsPendingEmailConfirmation]: 'email_confirmation_pending',
  [LoginStatus.IsPendingNewAccountSignup]: 'signup_pending',
  [LoginStatus.IsPendingAccountMigrationSignup]: 'migration_pending',
  [LoginStatus.IsPendingNewPassword]: 'new_password_required',
  [LoginStatus.IsExpired]: 'account_expired',
  [LoginStatus.IsPendingInvitation]: 'invitation_pending',
} as const satisfies Partial<Record<LoginStatus, string>>;

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

/** Why a sign-in to an application ended, if not with its session. */
export const APP_END_REASONS = [
  ...END_REASONS,
  'signed_out',
  'by_application',
  'token_reused',
  'consent_withdrawn',
  'not_allowed',
  'application_changed',
  'application_deleted',
] as const;
export type AppEndReason = (typeof APP_END_REASONS)[number];

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

/** How somebody signed in, or tried to; `SignOn`: through an identity provider. */
export const SIGN_IN_METHODS = ['Password', 'MailCode', 'Passkey', 'SignOn'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** `SecondFactorAsked`: the password was right, and the second factor comes with another request, or never. */
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

/**
 * The form in which a password's hash is stored. `peppered`: our own hash, with a key; `raw`: bcrypt as imported;
 * `foreign`: another slow hash as imported; `wrapped`: our own hash of a fast hash that was imported.
 */
export const PASSWORD_SCHEMES = ['peppered', 'raw', 'foreign', 'wrapped'] as const;

export type PasswordScheme = (typeof PASSWORD_SCHEMES)[number];

/** What each section of an account's export has, in the order of its document (docs/erasure.md). */
export const EXPORT_SECTIONS = {
  Profile: 'The account itself, in one row',
  Passkeys: 'Names and times, without the keys',
  Identities: 'Single sign-on identities that are linked to the account',
  Sessions: 'Active and ended ones, with device and address',
  SessionHistory: 'Every change of a session',
  SignIns: 'Sign-ins and refused attempts, with device and address',
  Apps: 'Applications that the account is signed in to, or has granted something',
  OwnedContent: 'Content that the account owns',
  Content: 'Content that is shared with the account',
  InvitationsReceived: 'Invitations of the account',
  InvitationsSent: 'Invitations by the account',
  FaceReviews: 'Decisions about faces',
  Audit: 'Actions by the account (`IsOwn`) and actions on it by others',
  Mails: 'Emails to the account: kind, status and times',
} as const;
export type ExportSection = keyof typeof EXPORT_SECTIONS;
