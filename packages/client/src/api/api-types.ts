// Written by `npm run openapi` from the schemas of the routes.

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

export const PingStatus = { Normal: 1, ChatDisabled: 2, AccountExpired: 3, SessionDeactivated: 4 } as const;
export type PingStatus = (typeof PingStatus)[keyof typeof PingStatus];

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

export const FaceMatchType = {
  Automatch: 1,
  ProbableMatch: 2,
  NotMatch: 3,
  ConfirmedMatch: 4,
  Blurry: 5,
} as const;
export type FaceMatchType = (typeof FaceMatchType)[keyof typeof FaceMatchType];

export type FaultCode =
  | 'required'
  | 'unknown_field'
  | 'wrong_type'
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'too_large'
  | 'too_few'
  | 'too_many'
  | 'unknown_value'
  | 'malformed'
  | 'not_an_email'
  | 'not_a_uuid'
  | 'not_a_date_time'
  | 'not_a_uri'
  | 'not_plain_text'
  | 'does_not_go_with'
  | 'unknown_cursor'
  | 'unknown_object'
  | 'taken'
  | 'password_too_short'
  | 'password_too_long'
  | 'password_too_common'
  | 'password_is_email'
  | 'password_malformed';

export type ErrorCode =
  | 'invalid_request'
  | 'invalid_code'
  | 'invalid_attempt'
  | 'invalid_invitation'
  | 'unsupported_content_kind'
  | 'not_ndjson'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_token_type'
  | 'invalid_client'
  | 'token_missing'
  | 'token_invalid'
  | 'token_expired'
  | 'session_replaced'
  | 'session_deactivated'
  | 'session_expired'
  | 'session_ended'
  | 'invite_deleted'
  | 'forbidden'
  | 'insufficient_scope'
  | 'confirmation_required'
  | 'cross_site'
  | 'wrong_password'
  | 'wrong_code'
  | 'mail_code_required'
  | 'account_disabled'
  | 'account_expired'
  | 'email_confirmation_pending'
  | 'signup_pending'
  | 'migration_pending'
  | 'new_password_required'
  | 'invitation_pending'
  | 'authentication_failed'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'client_declared'
  | 'name_taken'
  | 'identity_taken'
  | 'own_account'
  | 'session_exists'
  | 'email_taken'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'headers_too_large'
  | 'internal_error'
  | 'unavailable';

/** An invalid field */
export interface FieldError {
  /** A JSON Pointer (RFC 6901) into the request body, or one that starts with `/query` or `/path` */
  pointer: string;
  /** Human-readable description; may change */
  message: string;
  /** Machine-readable code; stable */
  code: FaultCode;
}

/** The login that replaced the session, if it is known */
export interface ReplacedBy {
  DeviceName?: string;
  UserAgent?: string;
  At: string;
  /** The tag of the session, if it has one */
  Tag?: string;
}

export interface ActiveSession {
  DeviceName?: string;
  UserAgent?: string;
  LastSeenAt: string;
}

/** A problem document (RFC 9457). Handle errors by `code`, which is stable; `title` and `detail` may change. `LoginStatus` is the condition of the account, `DisabledUntil` and `DisabledReason` what its owner may know of it, and `ReplacedBy` the login that replaced the session, if that is the reason for the error. With `session_exists`, `Active` has the sessions in the way, least recently seen first, and the `TakeOverToken` repeats the login and ends the first. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  /** The trace ID of the request, as in the logs */
  traceId: string;
  /** The invalid fields */
  errors?: readonly FieldError[];
  LoginStatus?: LoginStatus;
  DisabledUntil?: string;
  DisabledReason?: string;
  ReplacedBy?: ReplacedBy;
  Active?: readonly ActiveSession[];
  TakeOverToken?: string;
}

export interface PingSessionRequest {
  ContentDefinitionId?: string;
}

export interface PingSessionResponse {
  PingStatus: PingStatus;
  ReplacedBy?: ReplacedBy;
}

export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface RefreshTokenRequest {
  RefreshToken: string;
}

export interface TokenSet {
  /** The access token. Send it as `Authorization: Bearer <Token>`. */
  Token: string;
  /** The refresh token for `/account/refresh-token` */
  RefreshToken: string;
  /** Lifetime of the access token in seconds */
  ExpirationSeconds: number;
}

export interface LoginRequestWithPassword {
  /** The email address of the account */
  Username: string;
  Password: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** A name by which the owner recognizes this device */
  DeviceName?: string;
  /** The kind of device, a tag of `SESSION_SLOTS` such as `mobile`; by default that of the account pages */
  SessionTag?: string;
  /** With `Cookie`, pages of `PUBLIC_URL` get a session cookie instead of tokens. `Tokens` by default. Send it with every step. */
  Delivery?: 'Tokens' | 'Cookie';
  /** With `Cookie`: whether the browser keeps the cookie when it is closed */
  KeepSignedIn?: boolean;
}

export interface LoginRequestWithSecondFactor {
  TwoFactorToken: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode: string;
  /** A name by which the owner recognizes this device */
  DeviceName?: string;
  /** The kind of device, a tag of `SESSION_SLOTS` such as `mobile`; by default that of the account pages */
  SessionTag?: string;
  /** With `Cookie`, pages of `PUBLIC_URL` get a session cookie instead of tokens. `Tokens` by default. Send it with every step. */
  Delivery?: 'Tokens' | 'Cookie';
  /** With `Cookie`: whether the browser keeps the cookie when it is closed */
  KeepSignedIn?: boolean;
}

export interface PasskeyAssertionResponse {
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string | null;
}

/** `PublicKeyCredential.toJSON()` of `navigator.credentials.get()` */
export interface PasskeyAssertion {
  /** The ID of the passkey, in base64url like all binary values here */
  id: string;
  rawId: string;
  type: 'public-key';
  response: PasskeyAssertionResponse;
}

export interface LoginRequestWithPasskeyAsSecondFactor {
  TwoFactorToken: string;
  Credential: PasskeyAssertion;
  /** A name by which the owner recognizes this device */
  DeviceName?: string;
  /** The kind of device, a tag of `SESSION_SLOTS` such as `mobile`; by default that of the account pages */
  SessionTag?: string;
  /** With `Cookie`, pages of `PUBLIC_URL` get a session cookie instead of tokens. `Tokens` by default. Send it with every step. */
  Delivery?: 'Tokens' | 'Cookie';
  /** With `Cookie`: whether the browser keeps the cookie when it is closed */
  KeepSignedIn?: boolean;
}

export interface LoginRequestWithPasskey {
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken: string;
  Credential: PasskeyAssertion;
  /** A name by which the owner recognizes this device */
  DeviceName?: string;
  /** The kind of device, a tag of `SESSION_SLOTS` such as `mobile`; by default that of the account pages */
  SessionTag?: string;
  /** With `Cookie`, pages of `PUBLIC_URL` get a session cookie instead of tokens. `Tokens` by default. Send it with every step. */
  Delivery?: 'Tokens' | 'Cookie';
  /** With `Cookie`: whether the browser keeps the cookie when it is closed */
  KeepSignedIn?: boolean;
}

export interface LoginRequestToTakeOver {
  /** From the error `session_exists`: ends the session that was not seen for the longest time, and stands for the whole login, whose other fields are then not needed. Works once, within two minutes. */
  TakeOverToken: string;
  /** A name by which the owner recognizes this device */
  DeviceName?: string;
  /** The kind of device, a tag of `SESSION_SLOTS` such as `mobile`; by default that of the account pages */
  SessionTag?: string;
  /** With `Cookie`, pages of `PUBLIC_URL` get a session cookie instead of tokens. `Tokens` by default. Send it with every step. */
  Delivery?: 'Tokens' | 'Cookie';
  /** With `Cookie`: whether the browser keeps the cookie when it is closed */
  KeepSignedIn?: boolean;
}

export interface LoginRequestWithMailCode {
  /** The email address of the account */
  Username: string;
  /** The code that `POST /account/login/email` has mailed, such as 7KQ2-M9XD */
  MailCode: string;
  /** The token from the response of `POST /account/login/email` */
  RequestToken: string;
  /** A name by which the owner recognizes this device */
  DeviceName?: string;
  /** The kind of device, a tag of `SESSION_SLOTS` such as `mobile`; by default that of the account pages */
  SessionTag?: string;
  /** With `Cookie`, pages of `PUBLIC_URL` get a session cookie instead of tokens. `Tokens` by default. Send it with every step. */
  Delivery?: 'Tokens' | 'Cookie';
  /** With `Cookie`: whether the browser keeps the cookie when it is closed */
  KeepSignedIn?: boolean;
}

export type LoginRequest =
  | LoginRequestWithPassword
  | LoginRequestWithSecondFactor
  | LoginRequestWithPasskeyAsSecondFactor
  | LoginRequestWithPasskey
  | LoginRequestToTakeOver
  | LoginRequestWithMailCode;

export interface TokenSetWithRecoveryCodes {
  /** The access token. Send it as `Authorization: Bearer <Token>`. */
  Token: string;
  /** The refresh token for `/account/refresh-token` */
  RefreshToken: string;
  /** Lifetime of the access token in seconds */
  ExpirationSeconds: number;
  /** Present if two-factor authentication has just been set up. Each code can be used once. Shown only in this response. */
  RecoveryCodes: readonly string[];
}

export interface CookieSession {
  /** With `Delivery: "Cookie"`: how long the session lasts without a ping, in seconds */
  ExpirationSeconds: number;
  /** Present if two-factor authentication has just been set up. Each code can be used once. Shown only in this response. */
  RecoveryCodes?: readonly string[];
}

export interface PasskeyDescriptor {
  type: 'public-key';
  id: string;
  transports: readonly string[];
}

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`, then `navigator.credentials.get()` */
export interface PasskeyRequestOptions {
  challenge: string;
  rpId: string;
  timeout: number;
  allowCredentials: readonly PasskeyDescriptor[];
  userVerification: 'required';
}

export interface TwoFactorCodeRequired {
  /** 2 TwoFactorCodeRequired */
  LoginStatus: 2;
  /** Replaces the password in the next request. Valid for five minutes and five codes. */
  TwoFactorToken: string;
  /** The accepted second factors: a code from the authenticator app, a recovery code, or a passkey */
  SecondFactors: readonly ('Totp' | 'RecoveryCode' | 'Passkey')[];
  PasskeyOptions?: PasskeyRequestOptions;
}

export interface TwoFactorSetup {
  /** The secret in base 32, for manual entry in an authenticator app */
  Secret: string;
  /** The secret as an otpauth URI, for a QR code */
  OtpAuthUri: string;
}

export interface TwoFactorSetupRequired {
  /** 1 TwoFactorSetupRequired */
  LoginStatus: 1;
  /** Replaces the password in the next request. Valid for five minutes and five codes. */
  TwoFactorToken: string;
  TwoFactorSetup: TwoFactorSetup;
}

export type LoginResponse =
  TokenSet | TokenSetWithRecoveryCodes | CookieSession | TwoFactorCodeRequired | TwoFactorSetupRequired;

export interface PasskeyChallenge {
  PasskeyToken: string;
  Options: PasskeyRequestOptions;
}

export interface RequestLoginCodeRequest {
  /** An email address */
  Email: string;
}

export interface RequestLoginCodeResponse {
  /** Keep it in the browser or app that asked: the code is worth nothing without it */
  RequestToken: string;
}

export type LogoutRequest = Readonly<Record<string, unknown>>;

export type LogoutResponse = Readonly<Record<string, unknown>>;

export interface HandOverSessionRequest {
  /** The account page to open. Defaults to `profile`. */
  Page?: 'profile' | 'security' | 'sessions' | 'data';
  /** One of `RETURN_URLS`, exactly as configured */
  ReturnUrl?: string;
  /** A random value that the app compares; returned in `Url`. Only with `ReturnUrl` */
  State?: string;
  /** The SHA-256 of a `CodeVerifier` in base64url, which the exchange then requires (PKCE, RFC 7636, method S256). Only with `ReturnUrl` */
  CodeChallenge?: string;
}

export interface HandOverSessionResponse {
  /** The address to open, with `#HandoverCode=…` */
  Url: string;
  ExpiresAt: string;
}

export interface ExchangeHandoverRequest {
  /** The code from the `#` of the address */
  HandoverCode: string;
  /** The verifier of the `CodeChallenge` with which the code was requested; required if there was one */
  CodeVerifier?: string;
  /** Whether to return whose session it is instead, for a page that asks before it continues */
  DryRun?: boolean;
  /** Whether the browser keeps the cookie when it is closed */
  KeepSignedIn?: boolean;
  /** Whether it may replace another account’s session. Only for a page that started the sign-on itself, not for links */
  InPlaceOfOthers?: boolean;
}

export interface ExchangeHandoverResponse {
  /** The email address of the session’s account */
  Email: string;
}

export interface SessionChange {
  /** The session, or an application’s part of one (`client_session`) */
  SessionId: string;
  UserId?: string;
  Status: SessionStatus;
  /** Latest expiry of access tokens issued for the session before the change */
  TokenExpiresAt: string;
  ChangedAt: string;
}

export interface ListSessionChangesResponse {
  Items: readonly SessionChange[];
  /** Cursor for the next request; present on the last page, too */
  NextCursor: string;
}

export interface RegisterRequest {
  /** An email address */
  Email: string;
  Password: string;
  /** The name shown to others */
  DisplayName?: string;
  Locale?: string;
}

export interface RegisterResponse {
  LoginStatus: LoginStatus;
  /** Shows `/account/verify` that the caller registered the password */
  RegistrationToken: string;
}

export interface VerifyEmailRequest {
  /** An email address */
  Email: string;
  /** The code from the email, such as 7KQ2-M9XD */
  Code: string;
  /** From the response of `/account/register` */
  RegistrationToken?: string;
  Password?: string;
}

export type VerifyEmailResponse = Readonly<Record<string, unknown>>;

export interface ResendVerificationRequest {
  /** An email address */
  Email: string;
}

export type ResendVerificationResponse = Readonly<Record<string, unknown>>;

export interface ForgotPasswordRequest {
  /** An email address */
  Email: string;
}

export type ForgotPasswordResponse = Readonly<Record<string, unknown>>;

export interface ResetPasswordRequest {
  /** An email address */
  Email: string;
  /** The code from the email, such as 7KQ2-M9XD */
  Code: string;
  Password: string;
  /** The name shown to others */
  DisplayName?: string;
  Locale?: string;
}

export type ResetPasswordResponse = Readonly<Record<string, unknown>>;

export interface ChangePasswordRequest {
  CurrentPassword: string;
  Password: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
}

export type ChangePasswordResponse = Readonly<Record<string, unknown>>;

export interface ChangeEmailRequest {
  /** An email address */
  Email: string;
  Password?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
  /** The code from the email that a request without it has sent, if the account can log in with mailed codes */
  MailCode?: string;
}

export type ChangeEmailResponse = Readonly<Record<string, unknown>>;

export interface ConfirmEmailRequest {
  /** The code from the email, such as 7KQ2-M9XD */
  Code: string;
}

export type ConfirmEmailResponse = Readonly<Record<string, unknown>>;

export interface TakeBackEmailRequest {
  /** The `Code` parameter of the link, as a string */
  Code?: unknown;
}

export type TakeBackEmailResponse = Readonly<Record<string, unknown>>;

export interface SetUpTwoFactorRequest {
  Password?: string;
  /** The code from the email, such as 7KQ2-M9XD */
  Code?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
}

export interface TwoFactorSetupStarted {
  TwoFactorSetup: TwoFactorSetup;
}

export interface TwoFactorSetupCompleted {
  /** Each code can be used once. Shown only in this response. */
  RecoveryCodes: readonly string[];
}

/** A code was sent by email */
export type TwoFactorCodeMailed = Readonly<Record<string, unknown>>;

export type SetUpTwoFactorResponse = TwoFactorSetupStarted | TwoFactorSetupCompleted | TwoFactorCodeMailed;

export interface RemoveTwoFactorRequest {
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode: string;
}

export type RemoveTwoFactorResponse = Readonly<Record<string, unknown>>;

export interface RenewRecoveryCodesRequest {
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
}

export interface RenewRecoveryCodesResponse {
  /** Each code can be used once. Shown only in this response. */
  RecoveryCodes: readonly string[];
}

export interface IdentityProvider {
  Id: string;
  /** The display name of the identity provider */
  Name: string;
  /** The URL at which a browser starts single sign-on; accepts `returnUrl` */
  LoginUrl: string;
}

export interface GetAccountOptionsResponse {
  /** The minimum length of a new password */
  PasswordMinLength: number;
  /** Whether a login ends earlier sessions of the account */
  SingleSession: boolean;
  Registration: 'open' | 'closed';
  /** Whether accounts can log in with a passkey */
  Passkeys: boolean;
  /** Who can log in with a mailed code: nobody, guests, or guests and users */
  EmailLogin: 'off' | 'guests' | 'users';
  Providers: readonly IdentityProvider[];
  /** The languages of pages and emails */
  Locales: readonly string[];
  /** The URL of the support page */
  SupportUrl?: string;
  /** The app to continue to */
  AppUrl?: string;
  /** The URL of content, with `{ContentDefinitionId}` as the placeholder for its ID */
  ContentUrl?: string;
  /** The given `returnUrl`, only if it is in `RETURN_URLS` */
  ReturnUrl?: string;
}

export interface ExportAccountRequest {
  Password?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
}

export type ExportedRow = Readonly<Record<string, unknown>>;

export interface AccountExport {
  ExportedAt: string;
  /** Sections with more rows than shown */
  Truncated: readonly (
    | 'Profile'
    | 'Passkeys'
    | 'Identities'
    | 'Sessions'
    | 'SessionHistory'
    | 'SignIns'
    | 'Apps'
    | 'OwnedContent'
    | 'Content'
    | 'InvitationsReceived'
    | 'InvitationsSent'
    | 'FaceReviews'
    | 'Audit'
    | 'Mails'
  )[];
  /** The account itself, in one row */
  Profile: readonly ExportedRow[];
  /** Names and times, without the keys */
  Passkeys: readonly ExportedRow[];
  /** Single sign-on identities that are linked to the account */
  Identities: readonly ExportedRow[];
  /** Active and ended ones, with device and address */
  Sessions: readonly ExportedRow[];
  /** Every change of a session */
  SessionHistory: readonly ExportedRow[];
  /** Sign-ins and refused attempts, with device and address */
  SignIns: readonly ExportedRow[];
  /** Applications that the account is signed in to, or has granted something */
  Apps: readonly ExportedRow[];
  /** Content that the account owns */
  OwnedContent: readonly ExportedRow[];
  /** Content that is shared with the account */
  Content: readonly ExportedRow[];
  /** Invitations of the account */
  InvitationsReceived: readonly ExportedRow[];
  /** Invitations by the account */
  InvitationsSent: readonly ExportedRow[];
  /** Decisions about faces */
  FaceReviews: readonly ExportedRow[];
  /** Actions by the account (`IsOwn`) and actions on it by others */
  Audit: readonly ExportedRow[];
  /** Emails to the account: kind, status and times */
  Mails: readonly ExportedRow[];
}

export interface EraseAccountRequest {
  Password?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
  /** The code from the email, such as 7KQ2-M9XD */
  Code?: string;
}

export interface EraseAccountResponse {
  ErasedAt?: string;
}

export interface RestoreAccountRequest {
  /** The `Code` parameter of the link, as a string */
  Code?: unknown;
}

export type RestoreAccountResponse = Readonly<Record<string, unknown>>;

export interface BeginPasskeyRequest {
  Password?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
}

export interface RelyingParty {
  id: string;
  name: string;
}

export interface PasskeyUser {
  id: string;
  name: string;
  displayName: string;
}

export interface PasskeyAlgorithm {
  type: 'public-key';
  /** COSE algorithm */
  alg: number;
}

export interface AuthenticatorSelection {
  residentKey: 'required';
  requireResidentKey: true;
  userVerification: 'required';
}

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`, then `navigator.credentials.create()` */
export interface PasskeyCreationOptions {
  rp: RelyingParty;
  user: PasskeyUser;
  challenge: string;
  pubKeyCredParams: readonly PasskeyAlgorithm[];
  timeout: number;
  excludeCredentials: readonly PasskeyDescriptor[];
  authenticatorSelection: AuthenticatorSelection;
  attestation: 'none';
}

export interface BeginPasskeyResponse {
  PasskeyToken: string;
  Options: PasskeyCreationOptions;
}

export interface PasskeyRegistrationResponse {
  clientDataJSON: string;
  attestationObject: string;
  transports?: readonly string[];
}

/** `PublicKeyCredential.toJSON()` of `navigator.credentials.create()` */
export interface PasskeyRegistration {
  /** The ID of the passkey, in base64url like all binary values here */
  id: string;
  rawId: string;
  type: 'public-key';
  response: PasskeyRegistrationResponse;
}

export interface AddPasskeyRequest {
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken: string;
  /** The name that its owner gave it */
  Name?: string;
  Credential: PasskeyRegistration;
}

export interface NewPasskey {
  Id: string;
  Name: string;
  /** Whether it is synchronized to other devices of its owner */
  IsBackedUp: boolean;
  CreatedAt: string;
  /** null if it was never used */
  LastUsedAt: string | null;
  /** Present if the account must have a second factor and this passkey is the first one. Each code can be used once. Shown only in this response. */
  RecoveryCodes?: readonly string[];
}

export interface OwnSignIn {
  Id: string;
  At: string;
  Method: 'Password' | 'MailCode' | 'Passkey' | 'SignOn' | null;
  /** The identity provider of a sign-on */
  Provider: string | null;
  Result: 'Succeeded' | 'Refused' | 'SecondFactorAsked';
  /** Why it was refused, for example `password` */
  Reason: string | null;
  IpAddress: string | null;
  UserAgent: string | null;
}

export interface ListOwnSignInsResponse {
  Items: readonly OwnSignIn[];
}

export interface Passkey {
  Id: string;
  Name: string;
  /** Whether it is synchronized to other devices of its owner */
  IsBackedUp: boolean;
  CreatedAt: string;
  /** null if it was never used */
  LastUsedAt: string | null;
}

export interface ListOwnPasskeysResponse {
  Items: readonly Passkey[];
}

export interface RenamePasskeyRequest {
  /** The name that its owner gave it */
  Name: string;
}

export interface RemovePasskeyRequest {
  Password?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
  /** The code from the email that a request without it has sent, if the account can log in with mailed codes */
  MailCode?: string;
}

export interface OwnIdentity {
  /** Identifies the identity when unlinking; never reused */
  Number: number;
  /** ID of the provider through which it was linked */
  Provider: string;
  /** The display name of the provider, if it is offered */
  Name: string | null;
  Issuer: string;
  LinkedAt: string;
}

export interface ListOwnIdentitiesResponse {
  Items: readonly OwnIdentity[];
}

export interface BeginIdentityLinkRequest {
  Password?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
}

export interface BeginIdentityLinkResponse {
  /** The URL at which the sign-on begins */
  Url: string;
  /** A random value that is returned with the code */
  State: string;
  /** The time by which the sign-on must have returned */
  ExpiresAt: string;
}

export interface LinkIdentityRequest {
  IdentityCode: string;
}

export interface LinkIdentityResponse {
  Provider: string;
}

export interface UnlinkOwnIdentityRequest {
  /** `Number` of the identity */
  Number: number;
  Password?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
}

export interface AuthorizeClientRequest {
  /** The query string of the page, without the question mark */
  Request: string;
  /** What the user has answered */
  Consent?: 'granted' | 'denied';
  /** From the question that the user has answered: if somebody else has signed in since, it is asked again */
  ConsentTo?: string;
  /** From the first answer to this request */
  Since?: number;
  Password?: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken?: string;
  Credential?: PasskeyAssertion;
}

/** `Consent`: who asks */
export interface AuthorizedClient {
  /** The name of the application */
  Name: string;
}

export interface Authorization {
  Kind: 'Redirect' | 'Login' | 'Consent' | 'Refused';
  /** `Redirect`: where the browser goes */
  Location?: string;
  /** `Login`: the session stays, and its owner confirms their identity with a proof */
  Prompt?: 'Confirm';
  /** `Login`: the email that the application expects */
  LoginHint?: string;
  /** `Login`: the tag of the session to open */
  SessionTag?: string;
  Client?: AuthorizedClient;
  /** `Consent`: what it asks for */
  Scopes?: readonly string[];
  /** `Consent`: whose account it is */
  Email?: string;
  /** `Consent`: what the user is asked, to be sent with the answer */
  ConsentTo?: string;
  /** To be sent with the next call for the same request; epoch seconds */
  Since?: number;
  /** `Refused`: why the user must not be sent back to the application */
  Code?: 'invalid_request' | 'unknown_client' | 'redirect_uri_missing' | 'redirect_uri_mismatch';
}

export interface RequestClientTokenRequest {
  /** The kind of grant */
  grant_type: string;
  /** The authorization code */
  code?: string;
  /** That of the authorization request */
  redirect_uri?: string;
  /** The verifier of the challenge (PKCE) */
  code_verifier?: string;
  /** The refresh token */
  refresh_token?: string;
  /** Fewer scopes than were granted */
  scope?: string;
  /** The API that the access token is for */
  resource?: string;
  /** The id of the client */
  client_id?: string;
  /** The secret of a confidential client */
  client_secret?: string;
}

export interface ClientTokens {
  /** The access token (RFC 9068) */
  access_token: string;
  token_type: 'Bearer';
  /** Its lifetime in seconds */
  expires_in: number;
  /** Its scopes */
  scope: string;
  /** For the scope `offline_access` */
  refresh_token?: string;
  /** For the scope `openid` */
  id_token?: string;
}

/** An error of an OAuth endpoint (RFC 6749, section 5.2) */
export interface OAuthError {
  error: string;
  /** For developers; may change */
  error_description: string;
}

export interface EndSessionRequest {
  /** The query of the page, without the `?` */
  Request: string;
  /** Whether the user has agreed */
  Confirmed?: boolean;
}

export interface AskingClient {
  Name: string;
}

export interface EndSessionResponse {
  Kind: 'Ask' | 'SignedOut' | 'Refused';
  Client?: AskingClient;
  /** Where the browser goes on */
  Location?: string;
  /** Why the request is refused (docs/openid.md) */
  Code?: string;
}

export interface OwnApp {
  Id: string;
  Name: string;
  /** What it may know and do */
  Scopes: readonly string[];
  /** When you allowed it; null for an app that needs no consent */
  GrantedAt: string | null;
  /** How often you are signed in to it now */
  SignIns: number;
  /** null if you are not signed in to it */
  LastUsedAt: string | null;
}

export interface ListOwnAppsResponse {
  Items: readonly OwnApp[];
}

export interface SigningKey {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
  alg: 'ES256';
  use: 'sig';
  /** Refuse tokens of applications (`client_id`) that were issued at this time or later, in epoch seconds */
  apps_until?: number;
}

export interface IdTokenKey {
  kty: 'RSA';
  n: string;
  e: 'AQAB';
  kid: string;
  alg: 'RS256';
  use: 'sig';
}

export interface GetSigningKeysResponse {
  keys: readonly (SigningKey | IdTokenKey)[];
}

export interface GetApplicationKeysResponse {
  keys: readonly (SigningKey | IdTokenKey)[];
}

export interface AuthorizationServerMetadata {
  /** The `iss` claim of all tokens */
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
  introspection_endpoint: string;
  revocation_endpoint: string;
  end_session_endpoint: string;
  /** The URL of the public signing keys */
  jwks_uri: string;
  scopes_supported: readonly string[];
  claims_supported: readonly string[];
  response_types_supported: readonly string[];
  response_modes_supported: readonly string[];
  grant_types_supported: readonly string[];
  subject_types_supported: readonly string[];
  id_token_signing_alg_values_supported: readonly string[];
  token_endpoint_auth_methods_supported: readonly string[];
  introspection_endpoint_auth_methods_supported: readonly string[];
  revocation_endpoint_auth_methods_supported: readonly string[];
  code_challenge_methods_supported: readonly string[];
  prompt_values_supported: readonly string[];
  ui_locales_supported: readonly string[];
  claims_parameter_supported: boolean;
  request_parameter_supported: boolean;
  request_uri_parameter_supported: boolean;
  authorization_response_iss_parameter_supported: boolean;
  backchannel_logout_supported: boolean;
  backchannel_logout_session_supported: boolean;
}

export interface Userinfo {
  /** The account ID */
  sub: string;
  /** With the scope `email` */
  email?: string;
  /** With the scope `email` */
  email_verified?: boolean;
  /** With the scope `profile` */
  name?: string;
  /** With the scope `profile` */
  locale?: string;
  /** With the scope `groups` */
  groups?: readonly string[];
}

export interface PostUserinfoRequest {
  /** The access token, if not in the header */
  access_token?: string;
}

export interface IntrospectClientTokenRequest {
  /** The access token */
  token: string;
  /** Ignored */
  token_type_hint?: string;
  /** The id of the client */
  client_id?: string;
  /** The secret of a confidential client */
  client_secret?: string;
}

export interface ClientTokenState {
  /** Whether it is valid now; without that there is nothing else */
  active: boolean;
  /** The issuer */
  iss?: string;
  /** The API or client that it is for */
  aud?: string;
  /** The account ID, or the client ID */
  sub?: string;
  /** The client that it was issued to */
  client_id?: string;
  /** Its scopes */
  scope?: string;
  /** The session ID */
  sid?: string;
  /** When it was issued, in epoch seconds */
  iat?: number;
  /** When it expires, in epoch seconds */
  exp?: number;
  token_type?: 'Bearer';
}

export interface RevokeClientTokenRequest {
  /** The token */
  token: string;
  /** Ignored */
  token_type_hint?: string;
  /** The id of the client */
  client_id?: string;
  /** The secret of a confidential client */
  client_secret?: string;
}

export type Revoked = Readonly<Record<string, unknown>>;

export interface RelatedOrigins {
  origins: readonly string[];
}

export interface CreatePersonRequest {
  /** Unique after NFKC normalization, trimming and case folding */
  Name: string;
  Notes?: string | null;
  /** The identifier of the person in another system */
  ExternalId?: string | null;
}

export interface FaceMatchCounts {
  Automatch: number;
  ProbableMatch: number;
  NotMatch: number;
  ConfirmedMatch: number;
  Blurry: number;
}

export interface Person {
  Id: string;
  Name: string;
  Notes: string | null;
  ExternalId: string | null;
  FaceMatchCounts: FaceMatchCounts;
  CreatedAt: string;
  UpdatedAt: string;
}

export interface ListPersonsResponse {
  Items: readonly Person[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface UpdatePersonRequest {
  /** Unique after NFKC normalization, trimming and case folding */
  Name: string;
  Notes?: string | null;
  /** The identifier of the person in another system */
  ExternalId?: string | null;
}

/** Position in the image, as fractions of its width and height */
export interface BoundingBox {
  Left: number;
  Top: number;
  Width: number;
  Height: number;
}

export interface ReportFaceRequest {
  /** Identifier of the face in the recognition pipeline; identifies repeated reports of the same face */
  SourceId: string;
  Sharpness?: number | null;
  ImageUrl?: string | null;
  BoundingBox?: BoundingBox | null;
  CapturedAt?: string | null;
  Similarity: number;
  /** 1 Automatch, 2 ProbableMatch, 3 NotMatch, 4 ConfirmedMatch, 5 Blurry */
  FaceMatchType?: FaceMatchType | keyof typeof FaceMatchType;
}

export interface Face {
  Id: string;
  PersonId: string;
  FaceMatchType: FaceMatchType;
  Similarity: number;
  Sharpness: number | null;
  ImageUrl: string | null;
  SourceId: string;
  BoundingBox: BoundingBox | null;
  CapturedAt: string | null;
  DecidedBy: string | null;
  DecidedAt: string | null;
  Reason: string | null;
}

export interface FaceReview {
  FaceId: string;
  /** 1 Automatch, 2 ProbableMatch, 3 NotMatch, 4 ConfirmedMatch, 5 Blurry */
  FaceMatchType: FaceMatchType | keyof typeof FaceMatchType;
  Reason?: string | null;
}

export interface ReviewFacesRequest {
  Items: readonly FaceReview[];
}

export interface ReviewFacesResponse {
  Items: readonly Face[];
}

export interface ReviewFaceRequest {
  /** 1 Automatch, 2 ProbableMatch, 3 NotMatch, 4 ConfirmedMatch, 5 Blurry */
  FaceMatchType: FaceMatchType | keyof typeof FaceMatchType;
  Reason?: string | null;
}

export interface ListFacesResponse {
  Items: readonly Face[];
  NextCursor?: string;
}

export interface Profile {
  Id: string;
  /** An email address */
  Email: string;
  DisplayName: string | null;
  Locale: string;
  Role: 'User' | 'Guest' | 'Service' | 'Feed' | 'Admin';
  /** Whether the account has a password to log in and to confirm changes */
  HasPassword: boolean;
  TwoFactorEnabled: boolean;
  /** Whether an administrator requires two-factor authentication */
  TwoFactorRequired: boolean;
  /** Recovery codes that have not been used */
  RecoveryCodesLeft: number;
  CreatedAt: string;
}

export interface UpdateProfileRequest {
  /** The name shown to others */
  DisplayName?: string;
  Locale?: string;
}

export interface CheckEmailAvailabilityResponse {
  /** An email address */
  Email: string;
  IsAvailable: boolean;
}

export interface OwnSession {
  Id: string;
  Status: SessionStatus;
  /** Whether this is the session of the request */
  IsCurrent: boolean;
  /** Whether it was used within ONLINE_WINDOW_SECONDS */
  IsOnline: boolean;
  /** The kind of device that the login named; null if none */
  Tag: string | null;
  /** null if unknown */
  DeviceName: string | null;
  /** null if unknown */
  UserAgent: string | null;
  /** null if unknown */
  IpAddress: string | null;
  CreatedAt: string;
  LastSeenAt: string;
  EndedAt?: string;
  /** Why it ended: an `end_reason` of sessions.md, such as `replaced` */
  Reason?: string;
}

export interface ListOwnSessionsResponse {
  Items: readonly OwnSession[];
  NextCursor?: string;
}

export interface OwnContent {
  Id: string;
  Name: string;
  Kind: 'LiveChannel' | 'Recording' | 'Document';
  Relation: 'Owner' | 'Access';
  Since: string;
  /** The URL of the content, if `CONTENT_URL` is configured */
  Url?: string;
  /** When the access ends; null means never */
  ExpiresAt: string | null;
}

export interface ListOwnContentResponse {
  Items: readonly OwnContent[];
  NextCursor?: string;
}

export interface Member {
  UserId: string;
  Email: string;
  /** The name, or the email address if there is none */
  DisplayName: string;
  IsGuest: boolean;
  Relation: 'Owner' | 'Access' | 'Pending';
  Since: string;
  /** When the access ends; null means never */
  ExpiresAt: string | null;
}

export interface ListContentMembersResponse {
  Items: readonly Member[];
  NextCursor?: string;
}

export interface ChannelUser {
  UserId: string;
  SessionId?: string;
  /** The name, or the email address if there is none */
  DisplayName: string;
  /** An email address */
  Email: string;
  IsGuest: boolean;
  SessionStatus: SessionStatus;
  LastSeenAt?: string;
  InvitedAt?: string;
}

export interface ListChannelUsersResponse {
  Items: readonly ChannelUser[];
  RelatedItems: readonly ChannelUser[];
}

export interface InviteUsersRequest {
  Emails: readonly string[];
  ContentDefinitionId: string;
  /** When the access ends; null means never. For people who already have access or an invitation, omitting it keeps the current end. */
  ExpiresAt?: string | null;
  /** The language of people without an account; by default that of the inviter */
  Locale?: string;
}

export interface InvitedUser {
  Email: string;
  UserId: string;
  Result: 'Invited' | 'AccessGranted' | 'AlreadyHasAccess' | 'Reinvited';
}

export interface InviteUsersResponse {
  Items: readonly InvitedUser[];
}

export interface ResendContentInvitationsRequest {
  Emails: readonly string[];
}

export interface ResentInvitation {
  Email: string;
  Result: 'Reinvited' | 'NotInvited';
}

export interface ResendContentInvitationsResponse {
  Items: readonly ResentInvitation[];
}

export interface GetInvitationByLinkRequest {
  /** The `InvitationToken` parameter of the link, as a string */
  InvitationToken?: unknown;
}

/** Absent if the invited person may not see it (any more) */
export interface InvitedContent {
  Name: string;
  Kind: 'LiveChannel' | 'Recording' | 'Document';
}

export interface GetInvitationByLinkResponse {
  State: 'Open' | 'Used' | 'Expired' | 'Revoked';
  /** The address that was invited */
  Email: string;
  /** The name of the person who invites, unless it could be a message or a link */
  Inviter?: string;
  Content?: InvitedContent;
}

export interface RegisterGuestRequest {
  /** The `InvitationToken` parameter of the link, as a string */
  InvitationToken?: unknown;
  Password?: string;
  /** The name shown to others */
  DisplayName?: string;
  Locale?: string;
}

export interface RegisterGuestResponse {
  /** The URL of the shared content, if `CONTENT_URL` is configured */
  ContentUrl?: string;
  /** Without a password: opens the guest’s first session at `POST /account/handover/exchange`, within a minute */
  HandoverCode?: string;
}

export interface RequestInvitationAgainRequest {
  /** An email address */
  Email: string;
}

export type RequestInvitationAgainResponse = Readonly<Record<string, unknown>>;

export interface RemoveUsersRequestByUserId {
  UserId: string;
  ContentId: string;
}

export interface RemoveUsersRequestByEmails {
  Emails: readonly string[];
  ContentId: string;
}

export type RemoveUsersRequest = RemoveUsersRequestByUserId | RemoveUsersRequestByEmails;

export interface RemovedUser {
  UserId?: string;
  Email?: string;
  Result: 'AccessRevoked' | 'InvitationDeleted' | 'NoAccess';
}

export interface RemoveUsersResponse {
  Items: readonly RemovedUser[];
}

export interface Session {
  Id: string;
  UserId: string;
  Email: string;
  /** null if unknown */
  DisplayName: string | null;
  IsGuest: boolean;
  Status: SessionStatus;
  /** Whether the session was pinged within ONLINE_WINDOW_SECONDS */
  IsOnline: boolean;
  /** The kind of device that the login named; null if none */
  Tag: string | null;
  /** null if unknown */
  DeviceName: string | null;
  /** null if unknown */
  UserAgent: string | null;
  /** null if unknown */
  IpAddress: string | null;
  /** null for a password login */
  SsoProvider: string | null;
  CreatedAt: string;
  /** Last ping, refresh or login; null for an invitation */
  LastSeenAt: string | null;
  /** The end of its absolute lifetime; for an invitation, the expiry of its link */
  ExpiresAt: string;
  /** null while active */
  EndedAt: string | null;
  /** The content being watched or last watched; for an invitation, the shared content */
  ContentDefinitionId: string | null;
}

export interface ListSessionsResponse {
  Items: readonly Session[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface SessionHistoryEntry {
  Status: SessionStatus;
  ChangedAt: string;
  /** The account that made the change (the owner or an administrator); null for the system */
  ChangedBy: string | null;
  Reason: string;
}

export interface GetSessionResponse {
  Id: string;
  UserId: string;
  Email: string;
  /** null if unknown */
  DisplayName: string | null;
  IsGuest: boolean;
  Status: SessionStatus;
  /** Whether the session was pinged within ONLINE_WINDOW_SECONDS */
  IsOnline: boolean;
  /** The kind of device that the login named; null if none */
  Tag: string | null;
  /** null if unknown */
  DeviceName: string | null;
  /** null if unknown */
  UserAgent: string | null;
  /** null if unknown */
  IpAddress: string | null;
  /** null for a password login */
  SsoProvider: string | null;
  CreatedAt: string;
  /** Last ping, refresh or login; null for an invitation */
  LastSeenAt: string | null;
  /** The end of its absolute lifetime; for an invitation, the expiry of its link */
  ExpiresAt: string;
  /** null while active */
  EndedAt: string | null;
  /** The content being watched or last watched; for an invitation, the shared content */
  ContentDefinitionId: string | null;
  History: readonly SessionHistoryEntry[];
}

export interface ChangeSessionStatusRequestOfSession {
  SessionId: string;
  /** 1 Normal, 2 ChatDisabled, 3 SessionReplaced, 4 Deactivated, 5 SharedAccess, 6 PendingInvite, 7 Expired, 8 DeletedInvite */
  Status: SessionStatus | keyof typeof SessionStatus;
  /** Recorded in the session history */
  Reason?: string;
  /** Return what the change would return, without making it */
  DryRun?: boolean;
}

export interface ChangeSessionStatusRequestOfSessions {
  SessionIds: readonly string[];
  /** 1 Normal, 2 ChatDisabled, 3 SessionReplaced, 4 Deactivated, 5 SharedAccess, 6 PendingInvite, 7 Expired, 8 DeletedInvite */
  Status: SessionStatus | keyof typeof SessionStatus;
  /** Recorded in the session history */
  Reason?: string;
  /** Return what the change would return, without making it */
  DryRun?: boolean;
}

export interface ChangeSessionStatusRequestOfUser {
  UserId: string;
  /** 1 Normal, 2 ChatDisabled, 3 SessionReplaced, 4 Deactivated, 5 SharedAccess, 6 PendingInvite, 7 Expired, 8 DeletedInvite */
  Status: SessionStatus | keyof typeof SessionStatus;
  /** Recorded in the session history */
  Reason?: string;
  /** Return what the change would return, without making it */
  DryRun?: boolean;
}

/** The same filters as for listing sessions; at least one is required */
export interface SessionFilter {
  /** 1 Normal, 2 ChatDisabled, 3 SessionReplaced, 4 Deactivated, 5 SharedAccess, 6 PendingInvite, 7 Expired, 8 DeletedInvite */
  Status?: SessionStatus | keyof typeof SessionStatus;
  UserId?: string;
  /** At least 3 characters */
  Search?: string;
  IsOnline?: boolean;
  ContentDefinitionId?: string;
  IpAddress?: string;
  SsoProvider?: string;
  DeviceName?: string;
  Tag?: string;
  /** Why the session ended: one or more of these, separated by commas: logout, provider_logout, expired, replaced, administrator, password_changed, password_reset, email_taken_back, new_password_required, two_factor_enabled, two_factor_removed, two_factor_required, passkey_removed, identity_unlinked, refresh_token_reused, account_disabled, account_expired, account_erased, role_changed, access_revoked, invitation_accepted, invited_anew */
  EndReason?: string;
  CreatedFrom?: string;
  CreatedTo?: string;
  EndedFrom?: string;
  EndedTo?: string;
  LastSeenBefore?: string;
}

export interface ChangeSessionStatusRequestOfFilter {
  Filter: SessionFilter;
  /** 1 Normal, 2 ChatDisabled, 3 SessionReplaced, 4 Deactivated, 5 SharedAccess, 6 PendingInvite, 7 Expired, 8 DeletedInvite */
  Status: SessionStatus | keyof typeof SessionStatus;
  /** Recorded in the session history */
  Reason?: string;
  /** Return what the change would return, without making it */
  DryRun?: boolean;
}

export type ChangeSessionStatusRequest =
  | ChangeSessionStatusRequestOfSession
  | ChangeSessionStatusRequestOfSessions
  | ChangeSessionStatusRequestOfUser
  | ChangeSessionStatusRequestOfFilter;

export interface ChangeSessionStatusResponse {
  Items: readonly Session[];
  Count: number;
  UserCount: number;
  /** Newest first */
  Ids: readonly string[];
}

export interface SessionEvent {
  /** The session, or an application’s part of one (`client_session`) */
  SessionId: string;
  UserId: string;
  Status: SessionStatus;
  /** Latest expiry of access tokens issued for the session before the change */
  TokenExpiresAt: string;
  ChangedAt: string;
  Reason: string;
}

export interface ListSessionEventsResponse {
  Items: readonly SessionEvent[];
  /** Cursor for the next request; present on the last page, too */
  NextCursor: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export type GetEventSchemasResponse = Readonly<Record<string, unknown>>;

export interface GroupSource {
  Label: string;
  Source: string;
}

export interface Account {
  Id: string;
  Email: string;
  DisplayName: string | null;
  Locale: string;
  Role: 'User' | 'Guest' | 'Admin';
  /** Whether the account is used by a program, not a person */
  IsService: boolean;
  LoginStatus?: LoginStatus;
  IsDisabled: boolean;
  /** When it is enabled by itself; null if it is not disabled, or only an administrator enables it */
  DisabledUntil: string | null;
  DisabledReason: string | null;
  /** Whether the login tells the owner both */
  TellReason: boolean;
  /** When the account expires or expired; null if it never does */
  ExpiresAt: string | null;
  TwoFactorEnabled: boolean;
  TwoFactorRequired: boolean;
  HasPassword: boolean;
  HasPasskey: boolean;
  NewPasswordRequired: boolean;
  /** How many sessions of each tag the account may have, as an exception to `SESSION_SLOTS`; null if there is none */
  SessionLimit: number | null;
  /** Labels that decide which applications the account may sign in to */
  Groups: readonly string[];
  /** Who says each: `Administrator`, or the ID of an identity provider */
  GroupSources: readonly GroupSource[];
  /** When the account will be erased (`GET /admin/erasure`); null if no erasure is pending */
  ErasesAt: string | null;
  CreatedAt: string;
  LastLoginAt: string | null;
}

export interface ListAccountsResponse {
  Items: readonly Account[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface CreateAccountRequest {
  /** An email address */
  Email: string;
  Password?: string;
  /** The name shown to others */
  DisplayName?: string;
  Locale?: string;
  Role?: 'User' | 'Admin';
  IsMigrated?: boolean;
  IsService?: boolean;
  Groups?: readonly string[];
  /** Mails the owner a link that works for seven days and completes the account, which then must not get a `Password`. `false` by default: nobody is told */
  Invite?: boolean;
}

export interface UpdateAccountRequest {
  IsDisabled?: boolean;
  /** With `IsDisabled: true`: when the account is enabled by itself; null means never */
  DisabledUntil?: string | null;
  /** With `IsDisabled: true`: whether the login tells the owner the end and the `Reason` */
  TellReason?: boolean;
  /** Recorded in the audit, and as why it is disabled */
  Reason?: string;
  /** When the account expires. A time in the past expires it now; null means never. */
  ExpiresAt?: string | null;
  Role?: 'User' | 'Guest' | 'Admin';
  IsService?: boolean;
  TwoFactorRequired?: boolean;
  NewPasswordRequired?: boolean;
  /** The name shown to others */
  DisplayName?: string;
  Locale?: string;
  /** How many sessions of each tag the account may have, as an exception to `SESSION_SLOTS`; null if there is none */
  SessionLimit?: number | null;
  /** All groups that administrators give; those of identity providers stay */
  Groups?: readonly string[];
}

/** The same filters as for listing accounts; at least one is required */
export interface AccountFilter {
  Ids?: readonly string[];
  /** At least 3 characters */
  Search?: string;
  /** An email address */
  Email?: string;
  Role?: 'User' | 'Guest' | 'Admin';
  /** 1 TwoFactorSetupRequired, 2 TwoFactorCodeRequired, 3 IsDisabled, 4 IsPendingEmailConfirmation, 5 IsPendingNewAccountSignup, 6 IsPendingAccountMigrationSignup, 7 IsPendingNewPassword, 8 IsExpired, 9 IsPendingInvitation */
  LoginStatus?: LoginStatus | keyof typeof LoginStatus;
  HasTwoFactor?: boolean;
  HasPassword?: boolean;
  HasPasskey?: boolean;
  IsService?: boolean;
  DisabledUntilBefore?: string;
  Group?: string;
  CreatedFrom?: string;
  CreatedTo?: string;
  LastLoginBefore?: string;
  IsThrottled?: boolean;
}

/** As for updating an account */
export interface AccountChange {
  IsDisabled?: boolean;
  /** With `IsDisabled: true`: when the account is enabled by itself; null means never */
  DisabledUntil?: string | null;
  /** With `IsDisabled: true`: whether the login tells the owner the end and the `Reason` */
  TellReason?: boolean;
  /** null means never */
  ExpiresAt?: string | null;
  TwoFactorRequired?: boolean;
  NewPasswordRequired?: boolean;
}

export interface UpdateAccountsRequest {
  Filter: AccountFilter;
  Change: AccountChange;
  /** Recorded in the audit, and as why they are disabled */
  Reason?: string;
  /** Return what the change would return, without making it */
  DryRun?: boolean;
}

export interface UpdateAccountsResponse {
  Items: readonly Account[];
  Count: number;
  Skipped: number;
  /** IDs of the changed accounts, newest first */
  Ids: readonly string[];
}

export interface ChangeAccountEmailRequest {
  /** An email address */
  Email: string;
  /** Changes it without a confirmation by the owner. `false` by default, which is 409 if the owner cannot log in */
  Force?: boolean;
}

export type ChangeAccountEmailResponse = Readonly<Record<string, unknown>>;

export interface InviteAccountsRequest {
  Filter: AccountFilter;
  /** Return what the change would return, without making it */
  DryRun?: boolean;
}

export interface InviteAccountsResponse {
  Items: readonly Account[];
  Count: number;
  Skipped: number;
  /** IDs of the changed accounts, newest first */
  Ids: readonly string[];
}

export type InviteAccountResponse = Readonly<Record<string, unknown>>;

export type StartPasswordResetResponse = Readonly<Record<string, unknown>>;

export interface StandingReason {
  Code:
    | 'two_factor_setup_required'
    | 'account_disabled'
    | 'email_confirmation_pending'
    | 'signup_pending'
    | 'migration_pending'
    | 'new_password_required'
    | 'account_expired'
    | 'invitation_pending';
  /** null if unknown */
  Since: string | null;
  /** The account or API token that caused it; null for the owner or the system, or if unknown */
  By: string | null;
}

export interface AccountStanding {
  LoginStatus?: LoginStatus;
  Reasons: readonly StandingReason[];
  Failures: number;
  /** null if logins do not have to wait */
  BlockedUntil: string | null;
  LastRefusedAt: string | null;
  HasPassword: boolean;
  /** `raw`, `foreign` and `wrapped`: an imported hash, replaced at the next login; null without a password */
  PasswordScheme: 'peppered' | 'raw' | 'foreign' | 'wrapped' | null;
  RecoveryCodesLeft: number;
  Passkeys: number;
}

export type UnlockAccountResponse = Readonly<Record<string, unknown>>;

export interface AccountContent {
  ContentDefinitionId: string;
  Name: string;
  Kind: 'LiveChannel' | 'Recording' | 'Document';
  Relation: 'Access' | 'Owner' | 'Pending';
  Since: string;
  /** The account or API token that granted access or sent the invitation; null if unknown */
  By: string | null;
  /** When the access ends; null means never */
  ExpiresAt: string | null;
}

export interface ListAccountContentResponse {
  Items: readonly AccountContent[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface SsoIdentity {
  /** Identifies the identity when unlinking; never reused */
  Number: number;
  /** Name of the provider; null if no provider with this issuer is configured */
  Provider: string | null;
  Issuer: string;
  /** Identifies the user at the issuer */
  Subject: string;
  LinkedAt: string;
}

export interface ListAccountIdentitiesResponse {
  Items: readonly SsoIdentity[];
}

export interface AccountPasskey {
  Id: string;
  Name: string;
  /** Whether it is synchronized to other devices of its owner */
  IsBackedUp: boolean;
  CreatedAt: string;
  /** null if it was never used */
  LastUsedAt: string | null;
}

export interface ListAccountPasskeysResponse {
  Items: readonly AccountPasskey[];
}

/** A fast hash of salt and password; it is hashed again before it is stored */
export interface PasswordDigest {
  Algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512';
  Salt?: string;
  /** The position of the salt; `prefix` by default */
  SaltPosition?: 'prefix' | 'suffix';
  /** In hexadecimal or Base64 */
  Hash: string;
}

export interface ImportAccountsLine {
  /** An email address */
  Email: string;
  /** The name shown to others */
  DisplayName?: string;
  Role?: 'User' | 'Admin';
  Groups?: readonly string[];
  /** The hash of the password: bcrypt, argon2, scrypt or PBKDF2, in the format of the original system (docs/passwords.md) */
  PasswordHash?: string;
  /** The salt of a hash exported from Firebase; requires the parameter `firebase` */
  PasswordSalt?: string;
  /** `credentialData` of a password exported from Keycloak, a JSON text */
  CredentialData?: string;
  /** `secretData` of a password exported from Keycloak, a JSON text */
  SecretData?: string;
  PasswordDigest?: PasswordDigest;
}

export interface ImportFailure {
  Line: number;
  Code: 'invalid_line' | 'hash_too_costly' | 'email_taken';
  Message: string;
}

/** Lines whose hash takes longer to check than one of ours. While such a hash is stored, every wrong password takes as long, for all accounts; with `slowHashes=drop` they were not stored */
export interface SlowHashes {
  Lines: number;
  /** The highest cost among them, as a cost of bcrypt */
  Cost: number;
}

export interface ImportAccountsResponse {
  /** Number of accounts created */
  Imported: number;
  /** Number of lines whose email address already has an account, which is left unchanged */
  Skipped: number;
  /** Number of invalid lines */
  Failed: number;
  /** The skipped and failed lines, numbered from 1; at most 1000 of each */
  Failures: readonly ImportFailure[];
  /** The IDs of the imported accounts that wait for their owners, at most 1000. Nobody was told: `/admin/account/bulk/invite` mails them */
  Waiting?: readonly string[];
  SlowHashes?: SlowHashes;
}

export interface EraseAccountOfRequest {
  /** Stored in the audit until the account is erased */
  Reason?: string;
  After?: string;
  TransferContentTo?: string;
}

export interface EraseAccountOfResponse {
  ErasedAt: string;
}

/** The number of removed rows by table */
export type ErasedRows = Readonly<Record<string, unknown>>;

export interface Erasure {
  Id: string;
  UserId: string;
  State: 'Pending' | 'Erased' | 'Restored';
  AskedAt: string;
  AskedByKind: 'Account' | 'ApiToken' | 'System';
  /** The account or API token that requested it; equal to `UserId` if it was the owner */
  AskedBy: string | null;
  ErasesAt: string;
  RestoredAt: string | null;
  ErasedAt: string | null;
  Counts: ErasedRows | null;
}

export interface ListErasuresResponse {
  Items: readonly Erasure[];
  NextCursor?: string;
}

export interface ListedContentDefinition {
  Id: string;
  Name: string;
  Kind: 'LiveChannel' | 'Recording' | 'Document';
  /** The account that can share it, in addition to administrators; null if none */
  OwnerId: string | null;
  /** With `members=true`: number of accounts with access; 1001 if there are more than 1000 */
  AccessCount?: number;
  /** With `members=true`: number of pending invitations; 1001 if there are more than 1000 */
  PendingCount?: number;
}

export interface ListContentDefinitionsResponse {
  Items: readonly ListedContentDefinition[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface ContentDefinition {
  Id: string;
  Name: string;
  Kind: 'LiveChannel' | 'Recording' | 'Document';
  /** The account that can share it, in addition to administrators; null if none */
  OwnerId: string | null;
}

export interface ContentMember {
  UserId: string;
  Email: string;
  DisplayName: string | null;
  IsGuest: boolean;
  Relation: 'Owner' | 'Access' | 'Pending';
  Since: string;
  /** The account that granted access or sent the invitation, if any */
  By: string | null;
  /** When the access ends; null means never */
  ExpiresAt: string | null;
  /** Of a pending invitation */
  InvitationId: string | null;
  /** Only for a pending invitation; its link may have expired */
  LinkExpiresAt: string | null;
}

export interface ListContentDefinitionMembersResponse {
  Items: readonly ContentMember[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface CreateContentDefinitionRequest {
  Name: string;
  Kind: 'LiveChannel' | 'Recording' | 'Document';
  /** The account that can share it, in addition to administrators; null if none */
  OwnerId?: string | null;
}

export interface UpdateContentDefinitionRequest {
  Name: string;
  Kind: 'LiveChannel' | 'Recording' | 'Document';
  /** The account that can share it, in addition to administrators; null if none */
  OwnerId?: string | null;
}

export interface InviteUsersToContentDefinitionRequest {
  Emails: readonly string[];
  /** When the access ends; null means never. For people who already have access or an invitation, omitting it keeps the current end. */
  ExpiresAt?: string | null;
  /** The language of people without an account; by default that of the inviter */
  Locale?: string;
}

export interface InviteUsersToContentDefinitionResponse {
  Items: readonly InvitedUser[];
}

export interface RemoveUsersFromContentDefinitionRequestByUserId {
  UserId: string;
}

export interface RemoveUsersFromContentDefinitionRequestByEmails {
  Emails: readonly string[];
}

export type RemoveUsersFromContentDefinitionRequest =
  RemoveUsersFromContentDefinitionRequestByUserId | RemoveUsersFromContentDefinitionRequestByEmails;

export interface RemoveUsersFromContentDefinitionResponse {
  Items: readonly RemovedUser[];
}

export interface ApiToken {
  Id: string;
  Name: string;
  /** The first characters of the token */
  Prefix: string;
  Role: 'Service' | 'Feed' | 'Admin';
  CreatedAt: string;
  /** The account or static token that created it */
  CreatedBy: string | null;
  /** Updated with a delay of a few seconds; null if never used */
  LastUsedAt: string | null;
  /** The address of the last use; updated with the same delay */
  LastUsedIp: string | null;
  /** null if it never expires */
  ExpiresAt: string | null;
  /** null if it is accepted from anywhere */
  Networks: readonly string[] | null;
  /** The token that replaced it */
  ReplacedBy: string | null;
  /** null if not revoked */
  RevokedAt: string | null;
}

export interface ListApiTokensResponse {
  Items: readonly ApiToken[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface CreateApiTokenRequest {
  /** The purpose of the token */
  Name: string;
  Role?: 'Service' | 'Feed' | 'Admin';
  ExpiresAt?: string;
  /** IP addresses and CIDR ranges from which the token is accepted; anywhere if omitted */
  Networks?: readonly string[];
}

export interface CreateApiTokenResponse {
  Id: string;
  Name: string;
  /** The first characters of the token */
  Prefix: string;
  Role: 'Service' | 'Feed' | 'Admin';
  CreatedAt: string;
  /** The account or static token that created it */
  CreatedBy: string | null;
  /** Updated with a delay of a few seconds; null if never used */
  LastUsedAt: string | null;
  /** The address of the last use; updated with the same delay */
  LastUsedIp: string | null;
  /** null if it never expires */
  ExpiresAt: string | null;
  /** null if it is accepted from anywhere */
  Networks: readonly string[] | null;
  /** The token that replaced it */
  ReplacedBy: string | null;
  /** null if not revoked */
  RevokedAt: string | null;
  /** The token. Send it as `Authorization: Bearer <Token>`. */
  Token: string;
}

export interface RotateApiTokenRequest {
  OverlapSeconds: number;
}

export interface RotateApiTokenResponse {
  Id: string;
  Name: string;
  /** The first characters of the token */
  Prefix: string;
  Role: 'Service' | 'Feed' | 'Admin';
  CreatedAt: string;
  /** The account or static token that created it */
  CreatedBy: string | null;
  /** Updated with a delay of a few seconds; null if never used */
  LastUsedAt: string | null;
  /** The address of the last use; updated with the same delay */
  LastUsedIp: string | null;
  /** null if it never expires */
  ExpiresAt: string | null;
  /** null if it is accepted from anywhere */
  Networks: readonly string[] | null;
  /** The token that replaced it */
  ReplacedBy: string | null;
  /** null if not revoked */
  RevokedAt: string | null;
  /** The token. Send it as `Authorization: Bearer <Token>`. */
  Token: string;
}

export interface OAuthClient {
  Id: string;
  Name: string;
  IsPublic: boolean;
  RedirectUris: readonly string[];
  PostLogoutRedirectUris: readonly string[];
  BackchannelLogoutUri: string | null;
  Scopes: readonly string[];
  GrantTypes: readonly string[];
  IsTrusted: boolean;
  Roles: readonly ('User' | 'Guest' | 'Admin')[];
  Groups: readonly string[];
  RequiresPkce: boolean;
  RequiresNonce: boolean;
  IdTokenAlg: 'RS256' | 'ES256';
  SessionTag: string | null;
  Resources: readonly string[];
  /** Whether it comes from `OAUTH_CLIENTS`, and is only changed there */
  IsDeclared: boolean;
  CreatedAt: string;
  /** Until when the secret before the latest rotation works; null if it does not */
  PreviousSecretExpiresAt: string | null;
}

export interface ListOAuthClientsResponse {
  Items: readonly OAuthClient[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface CreateOAuthClientRequest {
  /** Shown to the people who sign in */
  Name: string;
  /** An app in a browser or on a device, which cannot keep a secret */
  IsPublic?: boolean;
  /** Where browsers return to, compared exactly; at least one, unless only `client_credentials` is used */
  RedirectUris?: readonly string[];
  /** Where browsers return to after logging out */
  PostLogoutRedirectUris?: readonly string[];
  /** Where the application is told that a session has ended; null for none */
  BackchannelLogoutUri?: string | null;
  /** Those of OpenID Connect, and scopes of its own, which mean something to its `Resources` */
  Scopes?: readonly string[];
  /** How it gets tokens; none: it gets no tokens, and may only introspect those for its `Resources` */
  GrantTypes?: readonly ('authorization_code' | 'refresh_token' | 'client_credentials')[];
  /** Whether people are not asked for their consent; not for a public client on a device */
  IsTrusted?: boolean;
  /** Who may sign in; `User` and `Admin` by default */
  Roles?: readonly ('User' | 'Guest' | 'Admin')[];
  /** Of which one is needed to sign in; none: everybody may */
  Groups?: readonly string[];
  /** `false` only for clients with a secret, which then send a `nonce` */
  RequiresPkce?: boolean;
  /** `false` only for clients with a secret, which then may use neither */
  RequiresNonce?: boolean;
  IdTokenAlg?: 'RS256' | 'ES256';
  /** The tag of sessions that a sign-in opens, one of `SESSION_SLOTS` */
  SessionTag?: string | null;
  /** The APIs for which it may request tokens (RFC 8707) */
  Resources?: readonly string[];
}

export interface CreateOAuthClientResponse {
  Id: string;
  Name: string;
  IsPublic: boolean;
  RedirectUris: readonly string[];
  PostLogoutRedirectUris: readonly string[];
  BackchannelLogoutUri: string | null;
  Scopes: readonly string[];
  GrantTypes: readonly string[];
  IsTrusted: boolean;
  Roles: readonly ('User' | 'Guest' | 'Admin')[];
  Groups: readonly string[];
  RequiresPkce: boolean;
  RequiresNonce: boolean;
  IdTokenAlg: 'RS256' | 'ES256';
  SessionTag: string | null;
  Resources: readonly string[];
  /** Whether it comes from `OAUTH_CLIENTS`, and is only changed there */
  IsDeclared: boolean;
  CreatedAt: string;
  /** Until when the secret before the latest rotation works; null if it does not */
  PreviousSecretExpiresAt: string | null;
  /** The `client_secret`; none for a public client */
  Secret?: string;
}

export interface UpdateOAuthClientRequest {
  /** Shown to the people who sign in */
  Name?: string;
  /** Where browsers return to, compared exactly; at least one, unless only `client_credentials` is used */
  RedirectUris?: readonly string[];
  /** Where browsers return to after logging out */
  PostLogoutRedirectUris?: readonly string[];
  /** Where the application is told that a session has ended; null for none */
  BackchannelLogoutUri?: string | null;
  /** Those of OpenID Connect, and scopes of its own, which mean something to its `Resources` */
  Scopes?: readonly string[];
  /** How it gets tokens; none: it gets no tokens, and may only introspect those for its `Resources` */
  GrantTypes?: readonly ('authorization_code' | 'refresh_token' | 'client_credentials')[];
  /** Whether people are not asked for their consent; not for a public client on a device */
  IsTrusted?: boolean;
  /** Who may sign in; `User` and `Admin` by default */
  Roles?: readonly ('User' | 'Guest' | 'Admin')[];
  /** Of which one is needed to sign in; none: everybody may */
  Groups?: readonly string[];
  /** `false` only for clients with a secret, which then send a `nonce` */
  RequiresPkce?: boolean;
  /** `false` only for clients with a secret, which then may use neither */
  RequiresNonce?: boolean;
  IdTokenAlg?: 'RS256' | 'ES256';
  /** The tag of sessions that a sign-in opens, one of `SESSION_SLOTS` */
  SessionTag?: string | null;
  /** The APIs for which it may request tokens (RFC 8707) */
  Resources?: readonly string[];
}

export interface RotateOAuthClientSecretRequest {
  OverlapSeconds: number;
}

export interface RotateOAuthClientSecretResponse {
  Id: string;
  Name: string;
  IsPublic: boolean;
  RedirectUris: readonly string[];
  PostLogoutRedirectUris: readonly string[];
  BackchannelLogoutUri: string | null;
  Scopes: readonly string[];
  GrantTypes: readonly string[];
  IsTrusted: boolean;
  Roles: readonly ('User' | 'Guest' | 'Admin')[];
  Groups: readonly string[];
  RequiresPkce: boolean;
  RequiresNonce: boolean;
  IdTokenAlg: 'RS256' | 'ES256';
  SessionTag: string | null;
  Resources: readonly string[];
  /** Whether it comes from `OAUTH_CLIENTS`, and is only changed there */
  IsDeclared: boolean;
  CreatedAt: string;
  /** Until when the secret before the latest rotation works; null if it does not */
  PreviousSecretExpiresAt: string | null;
  /** The `client_secret`; none for a public client */
  Secret?: string;
}

export interface OAuthClientSession {
  Id: string;
  UserId: string;
  Email: string;
  DisplayName: string | null;
  SessionId: string;
  Scopes: readonly string[];
  CreatedAt: string;
  LastSeenAt: string;
}

export interface ListOAuthClientSessionsResponse {
  Items: readonly OAuthClientSession[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface AuditEntry {
  Id: string;
  Action: string;
  /** The account or API token that made the change; null for the system */
  ActorId: string | null;
  /** With `names=true`: the current name, or null if there is none */
  ActorName?: string | null;
  ActorKind: 'Account' | 'ApiToken' | 'System';
  TargetId: string | null;
  /** With `names=true`: the current name, or null if there is none */
  TargetName?: string | null;
  /** For example `Account` or `ContentDefinition` */
  TargetKind: string;
  At: string;
  IpAddress: string | null;
  TraceId: string | null;
  Details: Readonly<Record<string, unknown>>;
}

export interface ListAuditEntriesResponse {
  Items: readonly AuditEntry[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface SignIn {
  Id: string;
  At: string;
  /** null if the attempt was for no account */
  UserId: string | null;
  /** The current email of the account */
  Email: string | null;
  Method: 'Password' | 'MailCode' | 'Passkey' | 'SignOn' | null;
  /** The identity provider of a sign-on */
  Provider: string | null;
  Result: 'Succeeded' | 'Refused' | 'SecondFactorAsked';
  /** Why it was refused, for example `password` */
  Reason: string | null;
  IpAddress: string | null;
  UserAgent: string | null;
  TraceId: string | null;
  /** More than 1 with the reason `several`: further attempts from the address in that minute */
  Attempts: number;
}

export interface ListSignInsResponse {
  Items: readonly SignIn[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface Mail {
  Id: string;
  Kind: string;
  /** null if the message could not be decrypted */
  Email: string | null;
  Status: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
  /** Number of delivery attempts since it was queued or last retried by an administrator */
  Tries: number;
  LastError: string | null;
  NextTryAt: string | null;
  CreatedAt: string;
  SentAt: string | null;
  ParkedAt: string | null;
  /** The request that caused the email */
  TraceId: string | null;
}

export interface ListMailsResponse {
  Items: readonly Mail[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface ParkedMailFilter {
  Kind?:
    | 'already-registered'
    | 'verification-code'
    | 'password-reset'
    | 'login-code'
    | 'mailbox-code'
    | 'account-invitation'
    | 'password-changed'
    | 'email-change-code'
    | 'email-change-notice'
    | 'email-changed'
    | 'email-set'
    | 'address-taken'
    | 'two-factor-code'
    | 'two-factor-enabled'
    | 'two-factor-disabled'
    | 'recovery-code-used'
    | 'recovery-codes-renewed'
    | 'passkey-added'
    | 'passkey-removed'
    | 'passkey-cloned'
    | 'identity-linked'
    | 'identity-unlinked'
    | 'erasure-code'
    | 'erasure-scheduled'
    | 'account-erased'
    | 'invitation'
    | 'access-granted'
    | 'access-removed'
    | 'new-device'
    | 'refresh-token-reused'
    | 'test'
    | 'webhook-disabled';
  /** An email address */
  Email?: string;
  From?: string;
  To?: string;
  /** Part of `LastError`, case-insensitively */
  Error?: string;
}

export interface RetryMailsRequest {
  Filter: ParkedMailFilter;
  DryRun?: boolean;
}

export interface RetryMailsResponse {
  /** Emails that are sent again */
  Count: number;
  /** Matching emails whose code or link is no longer valid */
  Skipped: number;
}

export interface SendTestMailRequest {
  /** An email address */
  Email: string;
}

export interface SendTestMailResponse {
  Id: string;
}

export interface GetMailTemplateResponse {
  Subject: string;
  Text: string;
  Html: string;
}

export interface Webhook {
  Id: string;
  Name: string;
  Url: string;
  Types: readonly string[];
  IsEnabled: boolean;
  /** Why the hook worker has disabled it: a 410 response, or failures alone for five days */
  DisabledReason: 'Gone' | 'Failing' | null;
  DisabledAt: string | null;
  /** The first failure since the last success */
  FailingSince: string | null;
  /** Until then, events are signed with the former secret too */
  FormerSecretUntil: string | null;
  CreatedAt: string;
}

export interface ListWebhooksResponse {
  Items: readonly Webhook[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface CreateWebhookRequest {
  /** Shown to administrators */
  Name: string;
  /** An https address on the Internet, or one that `WEBHOOK_NETWORKS` allows */
  Url: string;
  /** Event types; `guest.*` stands for all that begin with it, `*` for all */
  Types: readonly (
    | 'account.registered'
    | 'account.registration-repeated'
    | 'account.verification-requested'
    | 'account.verified'
    | 'account.password-reset-requested'
    | 'account.login-code-requested'
    | 'account.mailbox-code-requested'
    | 'account.invited'
    | 'account.password-changed'
    | 'account.email-change-requested'
    | 'account.email-change-announced'
    | 'account.email-changed'
    | 'account.email-set'
    | 'account.email-claimed'
    | 'account.two-factor-requested'
    | 'account.two-factor-enabled'
    | 'account.two-factor-disabled'
    | 'account.recovery-code-used'
    | 'account.recovery-codes-renewed'
    | 'account.passkey-added'
    | 'account.passkey-removed'
    | 'passkey.cloned'
    | 'account.identity-linked'
    | 'account.identity-unlinked'
    | 'account.updated'
    | 'account.disabled'
    | 'account.enabled'
    | 'account.deleted'
    | 'account.erasure-code-requested'
    | 'account.erasure-scheduled'
    | 'account.erasure-taken-back'
    | 'account.erased'
    | 'account.locked'
    | 'guest.invited'
    | 'guest.access-granted'
    | 'guest.registered'
    | 'guest.removed'
    | 'session.started'
    | 'session.new-device'
    | 'session.status-changed'
    | 'session.ended'
    | 'refresh-token.reused'
    | 'mail.test-requested'
    | 'webhook.test-requested'
    | 'webhook.disabled'
    | 'person.created'
    | 'person.updated'
    | 'person.deleted'
    | 'face.matched'
    | 'face.reviewed'
    | 'account.*'
    | 'passkey.*'
    | 'guest.*'
    | 'session.*'
    | 'refresh-token.*'
    | 'mail.*'
    | 'webhook.*'
    | 'person.*'
    | 'face.*'
    | '*'
  )[];
}

export interface CreateWebhookResponse {
  Id: string;
  Name: string;
  Url: string;
  Types: readonly string[];
  IsEnabled: boolean;
  /** Why the hook worker has disabled it: a 410 response, or failures alone for five days */
  DisabledReason: 'Gone' | 'Failing' | null;
  DisabledAt: string | null;
  /** The first failure since the last success */
  FailingSince: string | null;
  /** Until then, events are signed with the former secret too */
  FormerSecretUntil: string | null;
  CreatedAt: string;
  /** The key of the signatures (Standard Webhooks), `whsec_…` */
  Secret: string;
}

export interface ChangeWebhookRequest {
  /** Shown to administrators */
  Name?: string;
  /** An https address on the Internet, or one that `WEBHOOK_NETWORKS` allows */
  Url?: string;
  /** Event types; `guest.*` stands for all that begin with it, `*` for all */
  Types?: readonly (
    | 'account.registered'
    | 'account.registration-repeated'
    | 'account.verification-requested'
    | 'account.verified'
    | 'account.password-reset-requested'
    | 'account.login-code-requested'
    | 'account.mailbox-code-requested'
    | 'account.invited'
    | 'account.password-changed'
    | 'account.email-change-requested'
    | 'account.email-change-announced'
    | 'account.email-changed'
    | 'account.email-set'
    | 'account.email-claimed'
    | 'account.two-factor-requested'
    | 'account.two-factor-enabled'
    | 'account.two-factor-disabled'
    | 'account.recovery-code-used'
    | 'account.recovery-codes-renewed'
    | 'account.passkey-added'
    | 'account.passkey-removed'
    | 'passkey.cloned'
    | 'account.identity-linked'
    | 'account.identity-unlinked'
    | 'account.updated'
    | 'account.disabled'
    | 'account.enabled'
    | 'account.deleted'
    | 'account.erasure-code-requested'
    | 'account.erasure-scheduled'
    | 'account.erasure-taken-back'
    | 'account.erased'
    | 'account.locked'
    | 'guest.invited'
    | 'guest.access-granted'
    | 'guest.registered'
    | 'guest.removed'
    | 'session.started'
    | 'session.new-device'
    | 'session.status-changed'
    | 'session.ended'
    | 'refresh-token.reused'
    | 'mail.test-requested'
    | 'webhook.test-requested'
    | 'webhook.disabled'
    | 'person.created'
    | 'person.updated'
    | 'person.deleted'
    | 'face.matched'
    | 'face.reviewed'
    | 'account.*'
    | 'passkey.*'
    | 'guest.*'
    | 'session.*'
    | 'refresh-token.*'
    | 'mail.*'
    | 'webhook.*'
    | 'person.*'
    | 'face.*'
    | '*'
  )[];
  IsEnabled?: boolean;
}

export interface RotateWebhookResponse {
  Id: string;
  Name: string;
  Url: string;
  Types: readonly string[];
  IsEnabled: boolean;
  /** Why the hook worker has disabled it: a 410 response, or failures alone for five days */
  DisabledReason: 'Gone' | 'Failing' | null;
  DisabledAt: string | null;
  /** The first failure since the last success */
  FailingSince: string | null;
  /** Until then, events are signed with the former secret too */
  FormerSecretUntil: string | null;
  CreatedAt: string;
  /** The key of the signatures (Standard Webhooks), `whsec_…` */
  Secret: string;
}

export interface TestWebhookResponse {
  EventId: string;
}

export interface HookDelivery {
  Id: string;
  /** Null if it tells an application of the end of a session */
  WebhookId: string | null;
  /** That application */
  ClientId: string | null;
  EventId: string;
  Type: string;
  Status: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
  /** Number of attempts since it was queued or last retried by an administrator */
  Tries: number;
  LastError:
    | 'status'
    | 'redirect'
    | 'gone'
    | 'timeout'
    | 'connection_failed'
    | 'name_not_found'
    | 'certificate_invalid'
    | 'address_not_allowed'
    | 'secret_unreadable'
    | 'webhook_disabled'
    | null;
  /** The response to the last attempt, if there was one */
  StatusCode: number | null;
  /** How long the last attempt took */
  DurationMs: number | null;
  NextTryAt: string | null;
  CreatedAt: string;
  SentAt: string | null;
  ParkedAt: string | null;
  /** The request that caused the event */
  TraceId: string | null;
}

export interface ListHookDeliveriesResponse {
  Items: readonly HookDelivery[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface GetHookDeliveryResponse {
  Id: string;
  /** Null if it tells an application of the end of a session */
  WebhookId: string | null;
  /** That application */
  ClientId: string | null;
  EventId: string;
  Type: string;
  Status: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
  /** Number of attempts since it was queued or last retried by an administrator */
  Tries: number;
  LastError:
    | 'status'
    | 'redirect'
    | 'gone'
    | 'timeout'
    | 'connection_failed'
    | 'name_not_found'
    | 'certificate_invalid'
    | 'address_not_allowed'
    | 'secret_unreadable'
    | 'webhook_disabled'
    | null;
  /** The response to the last attempt, if there was one */
  StatusCode: number | null;
  /** How long the last attempt took */
  DurationMs: number | null;
  NextTryAt: string | null;
  CreatedAt: string;
  SentAt: string | null;
  ParkedAt: string | null;
  /** The request that caused the event */
  TraceId: string | null;
  /** The event as it is sent to a webhook */
  Body: string | null;
  /** Whose session has ended, as an application is told */
  UserId: string | null;
  SessionId: string | null;
}

export interface ParkedHookDeliveryFilter {
  WebhookId?: string;
  ClientId?: string;
  Type?:
    | 'account.registered'
    | 'account.registration-repeated'
    | 'account.verification-requested'
    | 'account.verified'
    | 'account.password-reset-requested'
    | 'account.login-code-requested'
    | 'account.mailbox-code-requested'
    | 'account.invited'
    | 'account.password-changed'
    | 'account.email-change-requested'
    | 'account.email-change-announced'
    | 'account.email-changed'
    | 'account.email-set'
    | 'account.email-claimed'
    | 'account.two-factor-requested'
    | 'account.two-factor-enabled'
    | 'account.two-factor-disabled'
    | 'account.recovery-code-used'
    | 'account.recovery-codes-renewed'
    | 'account.passkey-added'
    | 'account.passkey-removed'
    | 'passkey.cloned'
    | 'account.identity-linked'
    | 'account.identity-unlinked'
    | 'account.updated'
    | 'account.disabled'
    | 'account.enabled'
    | 'account.deleted'
    | 'account.erasure-code-requested'
    | 'account.erasure-scheduled'
    | 'account.erasure-taken-back'
    | 'account.erased'
    | 'account.locked'
    | 'guest.invited'
    | 'guest.access-granted'
    | 'guest.registered'
    | 'guest.removed'
    | 'session.started'
    | 'session.new-device'
    | 'session.status-changed'
    | 'session.ended'
    | 'refresh-token.reused'
    | 'mail.test-requested'
    | 'webhook.test-requested'
    | 'webhook.disabled'
    | 'person.created'
    | 'person.updated'
    | 'person.deleted'
    | 'face.matched'
    | 'face.reviewed';
  From?: string;
  To?: string;
  Error?:
    | 'status'
    | 'redirect'
    | 'gone'
    | 'timeout'
    | 'connection_failed'
    | 'name_not_found'
    | 'certificate_invalid'
    | 'address_not_allowed'
    | 'secret_unreadable'
    | 'webhook_disabled';
}

export interface RetryHookDeliveriesRequest {
  Filter: ParkedHookDeliveryFilter;
  DryRun?: boolean;
}

export interface RetryHookDeliveriesResponse {
  /** Deliveries that are sent again */
  Count: number;
  /** Matching deliveries that their receivers do not want any more */
  Skipped: number;
}

export interface Invitation {
  Id: string;
  Email: string;
  UserId: string;
  ContentDefinitionId: string;
  ContentName: string;
  /** null if sent with a static API token */
  InvitedBy: string | null;
  InvitedAt: string;
  ExpiresAt: string;
  /** When the access ends; null means never */
  AccessExpiresAt: string | null;
  /** null if no email was sent or its record has been deleted */
  MailStatus: 'Pending' | 'Sent' | 'Retrying' | 'Parked' | null;
}

export interface ListInvitationsResponse {
  Items: readonly Invitation[];
  NextCursor?: string;
  /** Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long. */
  Count?: number;
  /** Whether `Count` is the exact number; false if there are more */
  CountIsExact?: boolean;
}

export interface GetInvitationResponse {
  Id: string;
  Email: string;
  UserId: string;
  ContentDefinitionId: string;
  ContentName: string;
  /** null if sent with a static API token */
  InvitedBy: string | null;
  InvitedAt: string;
  ExpiresAt: string;
  /** When the access ends; null means never */
  AccessExpiresAt: string | null;
  /** null if no email was sent or its record has been deleted */
  MailStatus: 'Pending' | 'Sent' | 'Retrying' | 'Parked' | null;
  AcceptedAt: string | null;
  DeletedAt: string | null;
}

/** The same filters as for listing invitations; at least one is required */
export interface InvitationFilter {
  Id?: string;
  ContentDefinitionId?: string;
  /** An email address */
  Email?: string;
  InvitedBy?: string;
  IsExpired?: boolean;
}

export interface BulkChangeInvitationsRequest {
  Filter: InvitationFilter;
  Change: 'delete' | 'resend';
  DryRun?: boolean;
}

export interface BulkChangeInvitationsResponse {
  /** Invitations that were deleted or resent */
  Count: number;
  /** Matching invitations that were not changed */
  Skipped: number;
}

/** Counts by kind, for example `login.password`, `refused.throttled` or `session.replaced`. Kinds without a count are left out. */
export type ActivityCounts = Readonly<Record<string, number>>;

export interface StatisticsPoint {
  At: string;
  Counts: ActivityCounts;
}

export interface GetStatisticsResponse {
  Series: readonly StatisticsPoint[];
}

export interface AccountsByRole {
  User: number;
  Guest: number;
  Admin: number;
}

export interface GetStatisticsNowResponse {
  Accounts: number;
  /** false if `Accounts` is an estimate */
  AccountsIsExact: boolean;
  ByRole: AccountsByRole;
  Disabled: number;
  Unverified: number;
  TwoFactor: number;
  Passkeys: number;
  SessionsActive: number;
  Online: number;
  Invitations: number;
  MailsParked: number;
  MailsWaiting: number;
  /** Age of the oldest waiting email; 0 if none */
  MailsOldestSeconds: number;
  OutboxWaiting: number;
  /** Age of the oldest waiting event; 0 if none */
  OutboxOldestSeconds: number;
  /** Number of accounts and user names whose logins wait after failed attempts */
  Throttled: number;
  At: string;
}

export interface Migrations {
  Applied: readonly string[];
  Missing: readonly string[];
}

export interface SettingInForce {
  Name: string;
  /** `set` for a secret; null if it is not set */
  Value: string | number | boolean | null;
}

export interface SigningKeyState {
  Kid: string;
  CreatedAt: string;
  SignsFrom: string;
  /** Whether new tokens are signed with it; it verifies tokens in any case */
  Signs: boolean;
}

export interface Dependency {
  Name: string;
  IsReachable: boolean;
  Version: string | null;
}

export interface QueueDepth {
  Name: string;
  /** Waiting to be delivered */
  Messages: number;
  Consumers: number;
}

/** null if Redis did not respond */
export interface RedisMemory {
  /** Number since its servers started; should be 0 */
  EvictedKeys: number;
  /** `maxmemory-policy`; should be `noeviction` */
  Policies: readonly string[];
}

export interface Backlog {
  /** Up to 100,000 */
  Waiting: number;
  OldestSeconds: number;
}

export interface GetSystemResponse {
  Version: string;
  NodeVersion: string;
  Time: string;
  Migrations: Migrations;
  Settings: readonly SettingInForce[];
  SigningKeys: readonly SigningKeyState[];
  Dependencies: readonly Dependency[];
  /** Declared queues of RabbitMQ; null if it did not respond */
  Queues: readonly QueueDepth[] | null;
  RedisMemory: RedisMemory | null;
  Outbox: Backlog;
  Mails: Backlog;
  /** When a mail server last accepted an email */
  LastMailSentAt: string | null;
  /** Why the oldest email that is being retried was not sent */
  LastMailError: string | null;
}

export interface SsoProvider {
  Id: string;
  /** The display name; the ID if there is none */
  Name: string;
  Issuer: string;
  /** The URL to which the provider redirects browsers; register it at the provider */
  CallbackUrl: string;
  ReturnUrls: readonly string[];
  Provisioning: string;
  AllowedDomains: readonly string[];
  TrustEmail: boolean;
  TrustSecondFactor: boolean;
  /** Names of groups that sign-ons at this process have left out lately, for want of a setting or as no labels */
  LeftOutGroups: readonly string[];
  /** Whether the last discovery by this process succeeded; null if there was none yet */
  IsReachable: boolean | null;
  LastDiscoveryAt: string | null;
  /** Number of linked accounts, up to 10,000 */
  Identities: number;
}

export interface ListSsoProvidersResponse {
  Items: readonly SsoProvider[];
}

export interface EndSessionsByProviderRequest {
  logout_token: string;
}

export interface ExchangeSignOnCodeRequest {
  code: string;
  codeVerifier: string;
}

export interface ExchangeSignOnCodeResponse {
  token: string;
  refreshToken: string;
}

export interface RenewSignOnRequest {
  refreshToken: string;
}

export interface RenewSignOnResponse {
  token: string;
  refreshToken: string;
}

export interface ConsoleProvider {
  Id: string;
  Name: string;
}

export interface GetConsoleOptionsResponse {
  /** The running release */
  Version: string;
  /** Whether a login ends earlier sessions of the account */
  SingleSession: boolean;
  /** Whether accounts can log in with a passkey */
  Passkeys: boolean;
  /** The configured identity providers */
  Providers: readonly ConsoleProvider[];
  /** The URL of the console to which identity providers redirect browsers, if any are configured */
  SignOnUrl?: string;
  /** The languages of the console */
  Locales: readonly string[];
  /** The URL of the account pages */
  PublicUrl: string;
}

export interface OpenConsoleSessionRequestWithPassword {
  /** The email address of the account */
  Username: string;
  Password: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode?: string;
}

export interface OpenConsoleSessionRequestWithSecondFactor {
  TwoFactorToken: string;
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode: string;
}

export interface OpenConsoleSessionRequestWithPasskeyAsSecondFactor {
  TwoFactorToken: string;
  Credential: PasskeyAssertion;
}

export interface OpenConsoleSessionRequestWithPasskey {
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken: string;
  Credential: PasskeyAssertion;
}

export interface OpenConsoleSessionRequestToTakeOver {
  /** From the error `session_exists`: ends the session that was not seen for the longest time, and stands for the whole login, whose other fields are then not needed. Works once, within two minutes. */
  TakeOverToken: string;
}

export type OpenConsoleSessionRequest =
  | OpenConsoleSessionRequestWithPassword
  | OpenConsoleSessionRequestWithSecondFactor
  | OpenConsoleSessionRequestWithPasskeyAsSecondFactor
  | OpenConsoleSessionRequestWithPasskey
  | OpenConsoleSessionRequestToTakeOver;

export interface ConsoleAccount {
  Id: string;
  Email: string;
  DisplayName: string | null;
  Locale: string;
  Role: 'User' | 'Guest' | 'Service' | 'Feed' | 'Admin';
  IsTwoFactorEnabled: boolean;
  HasPassword: boolean;
  /** Whether `POST /console/session/confirm` requires a second factor instead of the password */
  ConfirmsWithCode: boolean;
}

export interface OpenedConsoleSession {
  Account: ConsoleAccount;
  SessionId: string;
  /** When the session ends at the latest */
  ExpiresAt: string;
  /** Its lifetime without a ping */
  IdleSeconds: number;
  /** Present if two-factor authentication has just been set up. Each code can be used once. Shown only in this response. */
  RecoveryCodes?: readonly string[];
}

export type OpenConsoleSessionResponse =
  OpenedConsoleSession | TwoFactorCodeRequired | TwoFactorSetupRequired;

export interface ConsoleSession {
  Account: ConsoleAccount;
  SessionId: string;
  /** When the session ends at the latest */
  ExpiresAt: string;
  /** Its lifetime without a ping */
  IdleSeconds: number;
}

export interface PingConsoleSessionResponse {
  PingStatus: PingStatus;
}

export interface ConfirmConsoleSessionRequestWithPassword {
  Password: string;
}

export interface ConfirmConsoleSessionRequestWithTwoFactorCode {
  /** The six-digit code from the authenticator app, or a recovery code such as 7KQ2M-9XD4T */
  TwoFactorCode: string;
}

export interface ConfirmConsoleSessionRequestWithPasskey {
  /** Identifies the signed challenge. Valid for five minutes and one use. */
  PasskeyToken: string;
  Credential: PasskeyAssertion;
}

export interface ConfirmConsoleSessionRequestWithSignOn {
  /** The code of a fresh sign-on, from the `#` of the address */
  SignOnCode: string;
}

export type ConfirmConsoleSessionRequest =
  | ConfirmConsoleSessionRequestWithPassword
  | ConfirmConsoleSessionRequestWithTwoFactorCode
  | ConfirmConsoleSessionRequestWithPasskey
  | ConfirmConsoleSessionRequestWithSignOn;

export interface HandOverToConsoleResponse {
  /** The address to open, with `#HandoverCode=…` */
  Url: string;
  ExpiresAt: string;
}

export interface ExchangeConsoleHandoverRequestOfHandover {
  /** The code from an app, from the `#` of the address */
  HandoverCode: string;
}

export interface ExchangeConsoleHandoverRequestOfSignOn {
  /** The code of a sign-on that this page began, from the `#` of the address */
  SignOnCode: string;
}

export type ExchangeConsoleHandoverRequest =
  ExchangeConsoleHandoverRequestOfHandover | ExchangeConsoleHandoverRequestOfSignOn;

export interface Event {
  specversion: '1.0';
  id: string;
  source: '/gatehouse';
  time: string;
  datacontenttype: 'application/json';
  traceid?: string;
  traceparent?: string;
}

/** The calls of `auth.api`: what they take, and what they answer. */
export interface Operations {
  /** Check a bearer token. */
  checkToken: { input: { role?: string | readonly string[] }; answer: 'Pong Auth' };
  /** Check that the API is up, or echo the request headers. */
  ping: { input: { includeHeaders?: boolean }; answer: 'Pong' | RequestHeaders };
  /** Begin a login with a passkey. */
  beginPasskeyLogin: { input: object | undefined; answer: PasskeyChallenge };
  /** Request a login code by email. */
  requestLoginCode: { input: RequestLoginCodeRequest; answer: RequestLoginCodeResponse };
  /** Open the account pages in the same session. */
  handOverSession: { input: HandOverSessionRequest; answer: HandOverSessionResponse };
  /** List session changes. */
  listSessionChanges: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to list only sessions that are still ended; without a cursor, the list begins with those whose access tokens may not have expired yet */
      ended?: boolean;
    };
    answer: ListSessionChangesResponse;
  };
  /** Register an account. */
  register: { input: RegisterRequest; answer: RegisterResponse };
  /** Verify an email address with an emailed code. */
  verifyEmail: { input: VerifyEmailRequest; answer: VerifyEmailResponse };
  /** Request another email verification code. */
  resendVerification: { input: ResendVerificationRequest; answer: ResendVerificationResponse };
  /** Request a password reset code. */
  forgotPassword: { input: ForgotPasswordRequest; answer: ForgotPasswordResponse };
  /** Reset the password with an emailed code. */
  resetPassword: { input: ResetPasswordRequest; answer: ResetPasswordResponse };
  /** Change your password. */
  changePassword: { input: ChangePasswordRequest; answer: ChangePasswordResponse };
  /** Request a change of email address. */
  changeEmail: { input: ChangeEmailRequest; answer: ChangeEmailResponse };
  /** Confirm a new email address with an emailed code. */
  confirmEmail: { input: ConfirmEmailRequest; answer: ConfirmEmailResponse };
  /** Take back a change of email address. */
  takeBackEmail: { input: TakeBackEmailRequest; answer: TakeBackEmailResponse };
  /** Set up two-factor authentication. */
  setUpTwoFactor: { input: SetUpTwoFactorRequest; answer: SetUpTwoFactorResponse };
  /** Disable two-factor authentication. */
  removeTwoFactor: { input: RemoveTwoFactorRequest; answer: RemoveTwoFactorResponse };
  /** Get new recovery codes. */
  renewRecoveryCodes: { input: RenewRecoveryCodesRequest; answer: RenewRecoveryCodesResponse };
  /** Get the options for account pages. */
  getAccountOptions: {
    input: {
      /** The URL to return to; the response repeats it if it is in `RETURN_URLS` */
      returnUrl?: string;
    };
    answer: GetAccountOptionsResponse;
  };
  /** Export all data about you. */
  exportAccount: { input: ExportAccountRequest; answer: AccountExport };
  /** Erase your account. */
  eraseAccount: { input: EraseAccountRequest; answer: EraseAccountResponse };
  /** Cancel the erasure of your account. */
  restoreAccount: { input: RestoreAccountRequest; answer: RestoreAccountResponse };
  /** Begin to add a passkey. */
  beginPasskey: { input: BeginPasskeyRequest; answer: BeginPasskeyResponse };
  /** Add a passkey. */
  addPasskey: { input: AddPasskeyRequest; answer: NewPasskey };
  /** List your passkeys. */
  listOwnPasskeys: { input: object | undefined; answer: ListOwnPasskeysResponse };
  /** Start a proof of identity with a passkey. */
  beginPasskeyConfirmation: { input: object | undefined; answer: PasskeyChallenge };
  /** List your last sign-ins. */
  listOwnSignIns: { input: object | undefined; answer: ListOwnSignInsResponse };
  /** Rename one of your passkeys. */
  renamePasskey: { input: RenamePasskeyRequest & { id: string }; answer: Passkey };
  /** Delete one of your passkeys. */
  removePasskey: { input: RemovePasskeyRequest & { id: string }; answer: undefined };
  /** List your single sign-on identities. */
  listOwnIdentities: { input: object | undefined; answer: ListOwnIdentitiesResponse };
  /** Link the identity of a sign-on to your account. */
  linkIdentity: { input: LinkIdentityRequest; answer: LinkIdentityResponse };
  /** Unlink one of your single sign-on identities. */
  unlinkOwnIdentity: { input: UnlinkOwnIdentityRequest; answer: undefined };
  /** Begin to link an identity of a provider to your account. */
  beginIdentityLink: {
    input: BeginIdentityLinkRequest & { provider: string };
    answer: BeginIdentityLinkResponse;
  };
  /** Decide about a sign-in to an application. */
  authorizeClient: { input: AuthorizeClientRequest; answer: Authorization };
  /** Sign out at the request of an app. */
  endSession: { input: EndSessionRequest; answer: EndSessionResponse };
  /** List the apps that you sign in to. */
  listOwnApps: { input: object | undefined; answer: ListOwnAppsResponse };
  /** Remove an app from your account. */
  removeOwnApp: { input: { id: string }; answer: undefined };
  /** Get the public signing keys (RFC 7517). */
  getSigningKeys: { input: object | undefined; answer: GetSigningKeysResponse };
  /** Get the public keys of what applications get (RFC 7517). */
  getApplicationKeys: { input: object | undefined; answer: GetApplicationKeysResponse };
  /** Get the authorization server metadata (RFC 8414). */
  getAuthorizationServerMetadata: { input: object | undefined; answer: AuthorizationServerMetadata };
  /** Get the configuration of the OpenID Connect provider. */
  getOpenidConfiguration: { input: object | undefined; answer: AuthorizationServerMetadata };
  /** Get the claims about the signed-in user (OpenID Connect). */
  getUserinfo: { input: object | undefined; answer: Userinfo };
  /** Get the origins that share passkeys (WebAuthn). */
  getRelatedOrigins: { input: object | undefined; answer: RelatedOrigins };
  /** Create a person. */
  createPerson: { input: CreatePersonRequest; answer: Person };
  /** List persons, newest first. */
  listPersons: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      search?: string;
    };
    answer: ListPersonsResponse;
  };
  /** Get a person with face counts by type. */
  getPerson: { input: { id: string }; answer: Person };
  /** Replace a person. */
  updatePerson: { input: UpdatePersonRequest & { id: string }; answer: Person };
  /** Delete a person permanently. */
  deletePerson: { input: { id: string }; answer: undefined };
  /** Report a face that may show a person. */
  reportFace: { input: ReportFaceRequest & { id: string }; answer: Face };
  /** Review up to 500 faces in one transaction. */
  reviewFaces: { input: ReviewFacesRequest & { id: string }; answer: ReviewFacesResponse };
  /** Review a face. */
  reviewFace: { input: ReviewFaceRequest & { id: string; faceId: string }; answer: Face };
  /** List the faces of a person by match type, newest first. */
  listFaces: {
    input: {
      id: string;
      /** 1 Automatch, 2 ProbableMatch, 3 NotMatch, 4 ConfirmedMatch, 5 Blurry */
      faceMatchType: FaceMatchType | keyof typeof FaceMatchType;
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
    };
    answer: ListFacesResponse;
  };
  /** Get your profile. */
  getProfile: { input: object | undefined; answer: Profile };
  /** Update your profile. */
  updateProfile: { input: UpdateProfileRequest; answer: Profile };
  /** Check whether an email address is available. */
  checkEmailAvailability: {
    input: {
      /** An email address */
      email: string;
    };
    answer: CheckEmailAvailabilityResponse;
  };
  /** List your sessions. */
  listOwnSessions: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to list ended sessions instead */
      ended?: boolean;
    };
    answer: ListOwnSessionsResponse;
  };
  /** End one of your sessions. */
  endOwnSession: { input: { id: string }; answer: undefined };
  /** List the content that you own or have access to. */
  listOwnContent: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
    };
    answer: ListOwnContentResponse;
  };
  /** List the members of content that you own. */
  listContentMembers: {
    input: {
      id: string;
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      relation?: 'Owner' | 'Access' | 'Pending';
    };
    answer: ListContentMembersResponse;
  };
  /** List the users of a live channel. */
  listChannelUsers: { input: { id: string }; answer: ListChannelUsersResponse };
  /** Share content with people by email address. */
  inviteUsers: { input: InviteUsersRequest; answer: InviteUsersResponse };
  /** Resend pending invitations to content that you own. */
  resendContentInvitations: {
    input: ResendContentInvitationsRequest & { id: string };
    answer: ResendContentInvitationsResponse;
  };
  /** Find out what an invitation link is about. */
  getInvitationByLink: { input: GetInvitationByLinkRequest; answer: GetInvitationByLinkResponse };
  /** Complete a guest account with an invitation link. */
  registerGuest: { input: RegisterGuestRequest; answer: RegisterGuestResponse };
  /** Request the link of an invitation again. */
  requestInvitationAgain: { input: RequestInvitationAgainRequest; answer: RequestInvitationAgainResponse };
  /** Revoke access to content. */
  removeUsers: { input: RemoveUsersRequest; answer: RemoveUsersResponse };
  /** List sessions, newest first. */
  listSessions: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      /** 1 Normal, 2 ChatDisabled, 3 SessionReplaced, 4 Deactivated, 5 SharedAccess, 6 PendingInvite, 7 Expired, 8 DeletedInvite */
      status?: SessionStatus | keyof typeof SessionStatus;
      userId?: string;
      /** Matches part of the email address or name, case-insensitively (with one or two letters only the beginning of the email address or of a word in the name), or the ID of the session or of its account */
      search?: string;
      /** Whether the session was pinged within ONLINE_WINDOW_SECONDS */
      isOnline?: boolean;
      contentDefinitionId?: string;
      /** The address at login, or a network such as 192.0.2.0/24 */
      ipAddress?: string;
      ssoProvider?: string;
      /** The complete name */
      deviceName?: string;
      /** The kind of device that the login named */
      tag?: string;
      /** Why the session ended: one or more of these, separated by commas: logout, provider_logout, expired, replaced, administrator, password_changed, password_reset, email_taken_back, new_password_required, two_factor_enabled, two_factor_removed, two_factor_required, passkey_removed, identity_unlinked, refresh_token_reused, account_disabled, account_expired, account_erased, role_changed, access_revoked, invitation_accepted, invited_anew */
      endReason?: string;
      createdFrom?: string;
      createdTo?: string;
      endedFrom?: string;
      endedTo?: string;
      lastSeenBefore?: string;
    };
    answer: ListSessionsResponse;
  };
  /** Change the status of sessions or of a guest’s invitations. */
  changeSessionStatus: { input: ChangeSessionStatusRequest; answer: ChangeSessionStatusResponse };
  /** Get a session with its history. */
  getSession: { input: { id: string }; answer: GetSessionResponse };
  /** List session changes. */
  listSessionEvents: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
    };
    answer: ListSessionEventsResponse;
  };
  /** Get the JSON schemas of all events by type. */
  getEventSchemas: { input: object | undefined; answer: GetEventSchemasResponse };
  /** List accounts, newest first. */
  listAccounts: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      search?: string;
      /** An email address */
      email?: string;
      role?: 'User' | 'Guest' | 'Admin';
      /** 1 TwoFactorSetupRequired, 2 TwoFactorCodeRequired, 3 IsDisabled, 4 IsPendingEmailConfirmation, 5 IsPendingNewAccountSignup, 6 IsPendingAccountMigrationSignup, 7 IsPendingNewPassword, 8 IsExpired, 9 IsPendingInvitation */
      loginStatus?: LoginStatus | keyof typeof LoginStatus;
      /** Whether two-factor authentication is enabled */
      hasTwoFactor?: boolean;
      hasPassword?: boolean;
      hasPasskey?: boolean;
      isService?: boolean;
      disabledUntilBefore?: string;
      /** Accounts that have this group */
      group?: string;
      createdFrom?: string;
      createdTo?: string;
      lastLoginBefore?: string;
      /** Whether logins currently have to wait after failed attempts */
      isThrottled?: boolean;
      /** 1 to 100 account IDs, separated by commas */
      ids?: string;
    };
    answer: ListAccountsResponse;
  };
  /** Create an account. */
  createAccount: { input: CreateAccountRequest; answer: Account };
  /** Get an account. */
  getAccount: { input: { id: string }; answer: Account };
  /** Update an account. */
  updateAccount: { input: UpdateAccountRequest & { id: string }; answer: Account };
  /** Erase an account. */
  eraseAccountOf: { input: EraseAccountOfRequest & { id: string }; answer: EraseAccountOfResponse };
  /** Update all accounts that match a filter. */
  updateAccounts: { input: UpdateAccountsRequest; answer: UpdateAccountsResponse };
  /** Change the email address of an account. */
  changeAccountEmail: {
    input: ChangeAccountEmailRequest & { id: string };
    answer: ChangeAccountEmailResponse;
  };
  /** Send all matching owners a link that completes their account. */
  inviteAccounts: { input: InviteAccountsRequest; answer: InviteAccountsResponse };
  /** Send the owner a link that completes the account. */
  inviteAccount: { input: { id: string }; answer: InviteAccountResponse };
  /** Send a password reset code to the owner. */
  startPasswordReset: { input: { id: string }; answer: StartPasswordResetResponse };
  /** Remove a lost second factor. */
  removeAccountTwoFactor: { input: { id: string }; answer: undefined };
  /** Find out why an account cannot log in. */
  getAccountStanding: { input: { id: string }; answer: AccountStanding };
  /** Clear failed logins. */
  unlockAccount: { input: { id: string }; answer: UnlockAccountResponse };
  /** List the content of an account, newest first. */
  listAccountContent: {
    input: {
      id: string;
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
    };
    answer: ListAccountContentResponse;
  };
  /** List the single sign-on identities of an account. */
  listAccountIdentities: { input: { id: string }; answer: ListAccountIdentitiesResponse };
  /** Unlink a single sign-on identity. */
  unlinkAccountIdentity: { input: { id: string; number: string }; answer: undefined };
  /** List the passkeys of an account. */
  listAccountPasskeys: { input: { id: string }; answer: ListAccountPasskeysResponse };
  /** Remove a lost passkey. */
  removeAccountPasskey: { input: { id: string; passkeyId: string }; answer: undefined };
  /** Cancel the erasure of an account. */
  restoreAccountOf: { input: { id: string }; answer: Account };
  /** Export all data of an account. */
  exportAccountOf: { input: { id: string }; answer: AccountExport };
  /** List erasures, newest first. */
  listErasures: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      userId?: string;
      state?: 'Pending' | 'Erased' | 'Restored';
    };
    answer: ListErasuresResponse;
  };
  /** List content, newest first. */
  listContentDefinitions: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      search?: string;
      kind?: 'LiveChannel' | 'Recording' | 'Document';
      ownerId?: string;
      /** Whether to count the members of each content */
      members?: boolean;
    };
    answer: ListContentDefinitionsResponse;
  };
  /** Create content that can be shared. */
  createContentDefinition: { input: CreateContentDefinitionRequest; answer: ContentDefinition };
  /** Get content. */
  getContentDefinition: { input: { id: string }; answer: ContentDefinition };
  /** Update content. */
  updateContentDefinition: {
    input: UpdateContentDefinitionRequest & { id: string };
    answer: ContentDefinition;
  };
  /** Delete content. */
  deleteContentDefinition: { input: { id: string }; answer: undefined };
  /** List the members of content. */
  listContentDefinitionMembers: {
    input: {
      id: string;
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      relation?: 'Owner' | 'Access' | 'Pending';
    };
    answer: ListContentDefinitionMembersResponse;
  };
  /** Share content with people by email address. */
  inviteUsersToContentDefinition: {
    input: InviteUsersToContentDefinitionRequest & { id: string };
    answer: InviteUsersToContentDefinitionResponse;
  };
  /** Revoke access to content. */
  removeUsersFromContentDefinition: {
    input: RemoveUsersFromContentDefinitionRequest & { id: string };
    answer: RemoveUsersFromContentDefinitionResponse;
  };
  /** List static API tokens, newest first. */
  listApiTokens: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      createdBy?: string;
    };
    answer: ListApiTokensResponse;
  };
  /** Create a static API token. */
  createApiToken: { input: CreateApiTokenRequest; answer: CreateApiTokenResponse };
  /** Get a static API token. */
  getApiToken: { input: { id: string }; answer: ApiToken };
  /** Revoke a static API token. */
  revokeApiToken: { input: { id: string }; answer: undefined };
  /** Replace a static API token. */
  rotateApiToken: { input: RotateApiTokenRequest & { id: string }; answer: RotateApiTokenResponse };
  /** List applications, newest first. */
  listOAuthClients: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      /** Whether it comes from `OAUTH_CLIENTS` */
      isDeclared?: boolean;
    };
    answer: ListOAuthClientsResponse;
  };
  /** Register an application. */
  createOAuthClient: { input: CreateOAuthClientRequest; answer: CreateOAuthClientResponse };
  /** Get an application. */
  getOAuthClient: { input: { id: string }; answer: OAuthClient };
  /** Update an application. */
  updateOAuthClient: { input: UpdateOAuthClientRequest & { id: string }; answer: OAuthClient };
  /** Delete an application. */
  deleteOAuthClient: { input: { id: string }; answer: undefined };
  /** Replace the secret of an application. */
  rotateOAuthClientSecret: {
    input: RotateOAuthClientSecretRequest & { id: string };
    answer: RotateOAuthClientSecretResponse;
  };
  /** List who is signed in to an application, newest first. */
  listOAuthClientSessions: {
    input: {
      id: string;
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
    };
    answer: ListOAuthClientSessionsResponse;
  };
  /** Sign somebody out of an application. */
  endOAuthClientSession: { input: { id: string; sessionId: string }; answer: undefined };
  /** List audit entries, newest first. */
  listAuditEntries: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      actorId?: string;
      targetId?: string;
      actorKind?: 'Account' | 'ApiToken' | 'System';
      action?:
        | 'face.reviewed'
        | 'person.created'
        | 'person.changed'
        | 'person.deleted'
        | 'content.created'
        | 'content.changed'
        | 'content.deleted'
        | 'invitation.deleted'
        | 'invitation.resent'
        | 'invitation.restored'
        | 'user-session.changed'
        | 'mail.retried'
        | 'mail.test-sent'
        | 'webhook.created'
        | 'webhook.changed'
        | 'webhook.deleted'
        | 'webhook.rotated'
        | 'webhook.tested'
        | 'webhook.disabled'
        | 'hook-delivery.retried'
        | 'user.invited'
        | 'user.removed'
        | 'guest.registered'
        | 'password.changed'
        | 'password.reset'
        | 'email.change-requested'
        | 'email.changed'
        | 'email.taken-back'
        | 'profile.changed'
        | 'two-factor.enabled'
        | 'two-factor.disabled'
        | 'two-factor.recovery-codes-renewed'
        | 'passkey.added'
        | 'passkey.renamed'
        | 'passkey.removed'
        | 'session.ended'
        | 'session.handed-over'
        | 'api-token.created'
        | 'api-token.revoked'
        | 'api-token.rotated'
        | 'client.created'
        | 'client.changed'
        | 'client.rotated'
        | 'client.deleted'
        | 'account.created'
        | 'account.registered'
        | 'account.contested'
        | 'account.verified'
        | 'account.changed'
        | 'account.reset-started'
        | 'account.invited'
        | 'account.two-factor-removed'
        | 'account.passkey-removed'
        | 'account.unlocked'
        | 'account.imported'
        | 'account.exported'
        | 'account.erasure-requested'
        | 'account.erasure-taken-back'
        | 'account.erased'
        | 'sso.linked'
        | 'sso.unlinked'
        | 'consent.granted'
        | 'consent.withdrawn'
        | 'app.signed-in'
        | 'app.signed-out'
        | 'app.token-reused';
      traceId?: string;
      /** An IPv4 or IPv6 address */
      ipAddress?: string;
      from?: string;
      to?: string;
      names?: boolean;
    };
    answer: ListAuditEntriesResponse;
  };
  /** List sign-ins and refused attempts, newest first. */
  listSignIns: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      userId?: string;
      result?: 'Succeeded' | 'Refused' | 'SecondFactorAsked';
      reason?:
        | 'password'
        | 'second-factor'
        | 'passkey'
        | 'mail-code'
        | 'take-over'
        | 'throttled'
        | 'forbidden'
        | 'account_disabled'
        | 'email_confirmation_pending'
        | 'signup_pending'
        | 'migration_pending'
        | 'new_password_required'
        | 'account_expired'
        | 'invitation_pending'
        | 'session_exists'
        | 'account_exists'
        | 'domain_not_allowed'
        | 'email_missing'
        | 'email_not_verified'
        | 'guest_not_allowed'
        | 'not_administrator'
        | 'not_provisioned'
        | 'two_factor_required'
        | 'invalid_attempt'
        | 'access_denied'
        | 'provider_error'
        | 'provider_unavailable'
        | 'several';
      method?: 'Password' | 'MailCode' | 'Passkey' | 'SignOn';
      provider?: string;
      /** An IPv4 or IPv6 address */
      ipAddress?: string;
      traceId?: string;
      from?: string;
      to?: string;
    };
    answer: ListSignInsResponse;
  };
  /** List emails and their delivery status, newest first. */
  listMails: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      status?: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
      /** An email address */
      email?: string;
      traceId?: string;
      finishedFrom?: string;
      finishedTo?: string;
    };
    answer: ListMailsResponse;
  };
  /** Get an email and its delivery status. */
  getMail: { input: { id: string }; answer: Mail };
  /** Retry a parked email. */
  retryMail: { input: { id: string }; answer: Mail };
  /** Retry all matching parked emails. */
  retryMails: { input: RetryMailsRequest; answer: RetryMailsResponse };
  /** Send a test email. */
  sendTestMail: { input: SendTestMailRequest; answer: SendTestMailResponse };
  /** Preview an email with sample data. */
  getMailTemplate: {
    input: {
      kind:
        | 'already-registered'
        | 'verification-code'
        | 'password-reset'
        | 'login-code'
        | 'mailbox-code'
        | 'account-invitation'
        | 'password-changed'
        | 'email-change-code'
        | 'email-change-notice'
        | 'email-changed'
        | 'email-set'
        | 'address-taken'
        | 'two-factor-code'
        | 'two-factor-enabled'
        | 'two-factor-disabled'
        | 'recovery-code-used'
        | 'recovery-codes-renewed'
        | 'passkey-added'
        | 'passkey-removed'
        | 'passkey-cloned'
        | 'identity-linked'
        | 'identity-unlinked'
        | 'erasure-code'
        | 'erasure-scheduled'
        | 'account-erased'
        | 'invitation'
        | 'access-granted'
        | 'access-removed'
        | 'new-device'
        | 'refresh-token-reused'
        | 'test'
        | 'webhook-disabled';
      locale?: string;
    };
    answer: GetMailTemplateResponse;
  };
  /** Show the HTML of an email with sample data. */
  showMailTemplate: {
    input: {
      kind:
        | 'already-registered'
        | 'verification-code'
        | 'password-reset'
        | 'login-code'
        | 'mailbox-code'
        | 'account-invitation'
        | 'password-changed'
        | 'email-change-code'
        | 'email-change-notice'
        | 'email-changed'
        | 'email-set'
        | 'address-taken'
        | 'two-factor-code'
        | 'two-factor-enabled'
        | 'two-factor-disabled'
        | 'recovery-code-used'
        | 'recovery-codes-renewed'
        | 'passkey-added'
        | 'passkey-removed'
        | 'passkey-cloned'
        | 'identity-linked'
        | 'identity-unlinked'
        | 'erasure-code'
        | 'erasure-scheduled'
        | 'account-erased'
        | 'invitation'
        | 'access-granted'
        | 'access-removed'
        | 'new-device'
        | 'refresh-token-reused'
        | 'test'
        | 'webhook-disabled';
      locale?: string;
    };
    answer: string;
  };
  /** List webhooks, newest first. */
  listWebhooks: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      isEnabled?: boolean;
    };
    answer: ListWebhooksResponse;
  };
  /** Create a webhook. */
  createWebhook: { input: CreateWebhookRequest; answer: CreateWebhookResponse };
  /** Get a webhook. */
  getWebhook: { input: { id: string }; answer: Webhook };
  /** Change, disable or enable a webhook. */
  changeWebhook: { input: ChangeWebhookRequest & { id: string }; answer: Webhook };
  /** Delete a webhook with its deliveries. */
  deleteWebhook: { input: { id: string }; answer: undefined };
  /** Give a webhook another secret. */
  rotateWebhook: { input: { id: string }; answer: RotateWebhookResponse };
  /** Send a test event to a webhook. */
  testWebhook: { input: { id: string }; answer: TestWebhookResponse };
  /** List deliveries to webhooks and applications, newest first. */
  listHookDeliveries: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      webhookId?: string;
      clientId?: string;
      status?: 'Pending' | 'Sent' | 'Retrying' | 'Parked';
      type?:
        | 'account.registered'
        | 'account.registration-repeated'
        | 'account.verification-requested'
        | 'account.verified'
        | 'account.password-reset-requested'
        | 'account.login-code-requested'
        | 'account.mailbox-code-requested'
        | 'account.invited'
        | 'account.password-changed'
        | 'account.email-change-requested'
        | 'account.email-change-announced'
        | 'account.email-changed'
        | 'account.email-set'
        | 'account.email-claimed'
        | 'account.two-factor-requested'
        | 'account.two-factor-enabled'
        | 'account.two-factor-disabled'
        | 'account.recovery-code-used'
        | 'account.recovery-codes-renewed'
        | 'account.passkey-added'
        | 'account.passkey-removed'
        | 'passkey.cloned'
        | 'account.identity-linked'
        | 'account.identity-unlinked'
        | 'account.updated'
        | 'account.disabled'
        | 'account.enabled'
        | 'account.deleted'
        | 'account.erasure-code-requested'
        | 'account.erasure-scheduled'
        | 'account.erasure-taken-back'
        | 'account.erased'
        | 'account.locked'
        | 'guest.invited'
        | 'guest.access-granted'
        | 'guest.registered'
        | 'guest.removed'
        | 'session.started'
        | 'session.new-device'
        | 'session.status-changed'
        | 'session.ended'
        | 'refresh-token.reused'
        | 'mail.test-requested'
        | 'webhook.test-requested'
        | 'webhook.disabled'
        | 'person.created'
        | 'person.updated'
        | 'person.deleted'
        | 'face.matched'
        | 'face.reviewed';
      eventId?: string;
      from?: string;
      to?: string;
    };
    answer: ListHookDeliveriesResponse;
  };
  /** Get a delivery and what is sent. */
  getHookDelivery: { input: { id: string }; answer: GetHookDeliveryResponse };
  /** Retry a parked delivery. */
  retryHookDelivery: { input: { id: string }; answer: HookDelivery };
  /** Retry all matching parked deliveries. */
  retryHookDeliveries: { input: RetryHookDeliveriesRequest; answer: RetryHookDeliveriesResponse };
  /** List pending invitations, newest first. */
  listInvitations: {
    input: {
      /** Maximum number of items to return. Defaults to 50. */
      limit?: number;
      /** The `NextCursor` of the previous page. Omit it to get the first page. */
      cursor?: string;
      /** Whether to return `Count`, the number of items on all pages together */
      count?: boolean;
      id?: string;
      contentDefinitionId?: string;
      /** An email address */
      email?: string;
      invitedBy?: string;
      /** Whether the link has expired */
      isExpired?: boolean;
    };
    answer: ListInvitationsResponse;
  };
  /** Get an invitation. */
  getInvitation: { input: { id: string }; answer: GetInvitationResponse };
  /** Delete a pending invitation. */
  deleteInvitation: { input: { id: string }; answer: undefined };
  /** Delete or resend all matching pending invitations. */
  bulkChangeInvitations: { input: BulkChangeInvitationsRequest; answer: BulkChangeInvitationsResponse };
  /** Resend a pending invitation. */
  resendInvitation: { input: { id: string }; answer: Invitation };
  /** Get activity counts by hour or day. */
  getStatistics: {
    input: { from?: string; to?: string; interval?: 'hour' | 'day' };
    answer: GetStatisticsResponse;
  };
  /** Get current totals. */
  getStatisticsNow: { input: object | undefined; answer: GetStatisticsNowResponse };
  /** Get the state of this installation as Admin sees it. */
  getSystem: { input: object | undefined; answer: GetSystemResponse };
  /** List identity providers. */
  listSsoProviders: { input: object | undefined; answer: ListSsoProvidersResponse };
}
