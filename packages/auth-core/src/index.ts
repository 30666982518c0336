export {
  createStaticTokens,
  STATIC_TOKEN_ROLES,
  type KnownToken,
  type StaticTokenRole,
  type StaticTokens,
  type StaticTokenSource,
} from './api-token.ts';
export { createAuth, type Auth, type Caller, type Refusal } from './authenticate.ts';
export {
  createFailureCounters,
  SUBJECTS_MANY,
  type Admission,
  type FailureCounters,
} from './failure-counters.ts';
export { type LiveSession } from './live-copy.ts';
export {
  createLiveSessions,
  type LiveSessions,
  type Reading,
  type SessionSource,
  type Sighting,
} from './live-sessions.ts';
export { connectRedis, type Redis, type RedisServers } from './redis.ts';
export { openRedis } from './redis-cluster.ts';
export { pingStatusOf, refusalOf, type RefusalCode } from './standing.ts';
export {
  createCodeHasher,
  hashInvitationToken,
  newCode,
  newInvitationToken,
  newRecoveryCode,
  readCode,
  readRecoveryCode,
  type CodeHasher,
} from './codes.ts';
export { publicJwks, publicKeySetOf } from './keys.ts';
export { keysCommand } from './keys-command.ts';
export { createPasswords, type DearestCost, type PasswordFault, type Passwords } from './passwords.ts';
export { createRefreshTokens, type RefreshTokens } from './refresh-token.ts';
export { matchTotp, newTotpSecret, readTotpCode, totpSetup, type TotpSetup } from './totp.ts';
export { createTokens, type TokenClaims, type TokenRefusal, type Tokens } from './tokens.ts';
export { watchKeys, type Keys } from './watch-keys.ts';
export { portalSecretOf, readPortalSecret, tokenKeysOf, type TokenKeys } from './token-keys.ts';
export { createTurns, NoTurn, type Turns } from './turns.ts';
