export { createStaticTokens, areWithin, networkCheck, type StaticTokens } from './static-tokens/api-token.ts';
export * from './authenticate.ts';
export * from './caller.ts';
export * from './browser/browser-session.ts';
export * from './browser/browser-site.ts';
export * from './passwords/failure-counters.ts';
export * from './codes/codes.ts';
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
export * from './passwords/passwords.ts';
export { OWN_ARGON2ID } from './passwords/derivation.ts';
export { UnfinishedCheck } from './passwords/password-pool.ts';
export { CLASS_MAX, type StoredPassword } from './passwords/stored-password.ts';
export type { HighestCosts } from './passwords/even-time.ts';
export * from './passwords/foreign/read-foreign.ts';
export * from './tokens/refresh-token.ts';
export * from './codes/totp.ts';
export { createTokens, type TokenRefusal, type Tokens } from './tokens/tokens.ts';
export * from './tokens/check-logout-token.ts';
export * from './keys/watch-keys.ts';
export * from './tokens/token-keys.ts';
export * from './passkeys/passkeys.ts';
export * from './passkeys/passkey-json.ts';
export * from './passkeys/passkey-site.ts';
export * from './oauth/client-keys.ts';
export * from './oauth/client-secrets.ts';
export * from './oauth/client-tokens.ts';
