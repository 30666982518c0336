export {
  createStaticTokens,
  areWithin,
  networkCheck,
  type KnownToken,
  type TokenUse,
  type StaticTokens,
  type StaticTokenSource,
} from './static-tokens/api-token.ts';
export { bearerToken, createAuth, type Auth, type ShownCookie } from './authenticate.ts';
export {
  credentialNameOf,
  endOfCredential,
  isHandedOver,
  type Caller,
  type Credential,
  type Refusal,
  type Replacement,
} from './caller.ts';
export {
  createBrowserSessions,
  type BrowserPurpose,
  type BrowserKeys,
  type BrowserSession,
  type BrowserSessions,
} from './browser/browser-session.ts';
export {
  browserCookie,
  browserSiteOf,
  isAnotherName,
  clearedBrowserCookie,
  type BrowserSite,
} from './browser/browser-site.ts';
export {
  createFailureCounters,
  SUBJECTS_MANY,
  type Admission,
  type FailureCounters,
} from './passwords/failure-counters.ts';
export {
  isChallengeOf,
  createCodeHasher,
  hashInvitationToken,
  newCode,
  newInvitationToken,
  newRecoveryCode,
  readCode,
  readRecoveryCode,
  type CodeHasher,
} from './codes/codes.ts';
export {
  keysFor,
  parseIdTokenKeySet,
  parseJwks,
  parseKeySet,
  parsePublicKeySet,
  publicJwks,
  publicKeySetOf,
  signingKey,
  toKeySet,
  withoutPrivate,
  newIdTokenKeys,
  newKey,
  rotated,
  type DatedJwk,
} from './keys/keys.ts';
export {
  createPasswords,
  type PasswordFault,
  type Passwords,
  type PasswordsOf,
} from './passwords/passwords.ts';
export { OWN_ARGON2ID } from './passwords/derivation.ts';
export { UnfinishedCheck } from './passwords/password-pool.ts';
export { CLASS_MAX, type StoredPassword } from './passwords/stored-password.ts';
export type { HighestCosts } from './passwords/even-time.ts';
export {
  readForeign,
  readFirebaseParameters,
  type ForeignPassword,
  type FirebaseParameters,
} from './passwords/foreign/read-foreign.ts';
export { createRefreshTokens, type RefreshTokens } from './tokens/refresh-token.ts';
export { matchTotp, newTotpSecret, readTotpCode, totpSetup, type TotpSetup } from './codes/totp.ts';
export { createTokens, type TokenRefusal, type Tokens, type TokenClaims } from './tokens/tokens.ts';
export {
  checkLogoutToken,
  claimsIssuer,
  isSubject,
  readSid,
  type LogoutToken,
  type LogoutTokenCheck,
} from './tokens/check-logout-token.ts';
export { watchKeys, type Keys } from './keys/watch-keys.ts';
export {
  browserKeysOf,
  portalSecretOf,
  readPortalSecret,
  tokenKeysOf,
  type TokenKeys,
} from './tokens/token-keys.ts';
export {
  createPasskeys,
  credentialIdOf,
  CHALLENGE_SECONDS,
  type Passkeys,
  type Assertion,
  type KnownPasskey,
  type NewPasskey,
} from './passkeys/passkeys.ts';
export {
  PASSKEY_FIELDS,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
  PasskeyToken,
  type AssertionJson,
  type CreationOptionsJson,
  type RegistrationJson,
  type RequestOptionsJson,
} from './passkeys/passkey-json.ts';
export {
  originByName,
  readPasskeySite,
  type PasskeySite,
  type PasskeySiteReading,
} from './passkeys/passkey-site.ts';
export { createClientKeys, type ClientKeys } from './oauth/client-keys.ts';
export { createClientSecrets, type ClientSecrets } from './oauth/client-secrets.ts';
export {
  createClientTokens,
  type ClientGrant,
  type ClientTokenClaims,
  type ClientTokens,
  type IdTokenAlg,
} from './oauth/client-tokens.ts';
