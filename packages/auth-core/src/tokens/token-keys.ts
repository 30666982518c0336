import { ConfigError, deriveKey } from '@gatehouse/runtime';
import type { BrowserKeys } from '../browser/browser-session.ts';

/** The keys that a service derives from `TOKEN_SECRET`. */
export interface TokenKeys {
  /** Hashes static API tokens. */
  staticTokens: Buffer;
  /** Hashes mailed codes; Portal does not have it. */
  codes: Buffer | undefined;
  /** Authenticates the cached sessions of users and guests. */
  userSessions: Buffer;
  /** Authenticates the cached sessions of administrators; Portal does not have it. */
  adminSessions: Buffer | undefined;
  /** Creates and checks refresh tokens; Portal does not have it. */
  refreshTokens: Buffer | undefined;
  /** Hashes the secrets of OAuth clients; Portal does not have it. */
  clientSecrets: Buffer | undefined;
}

/**
 * The keys of browser sessions. Portal has only the last one of the account pages, to check their cookies: a cookie that an
 * attacker creates after taking over Portal is accepted by nobody else, as its first MAC is wrong.
 */
export function browserKeysOf({
  userSessions,
  adminSessions,
}: Pick<TokenKeys, 'userSessions' | 'adminSessions'>): BrowserKeys {
  return {
    pages: [
      adminSessions && deriveKey(adminSessions, 'browser session of the pages'),
      deriveKey(userSessions, 'browser session'),
    ],
    console: [adminSessions && deriveKey(adminSessions, 'browser session')],
  };
}

/** All keys, for Core and Admin, which issue tokens. */
export function tokenKeysOf(tokenSecret: string) {
  return {
    staticTokens: deriveKey(tokenSecret, 'static API token'),
    codes: deriveKey(tokenSecret, 'account code'),
    userSessions: deriveKey(tokenSecret, 'cached session of a user'),
    adminSessions: deriveKey(tokenSecret, 'cached session of an administrator'),
    refreshTokens: deriveKey(tokenSecret, 'refresh token'),
    clientSecrets: deriveKey(tokenSecret, 'client secret'),
  };
}

/** `PORTAL_SECRET`: the keys of static tokens and users’ cached sessions, which reveal neither it nor others. */
export function portalSecretOf(tokenSecret: string): string {
  const { staticTokens, userSessions } = tokenKeysOf(tokenSecret);
  return Buffer.concat([staticTokens, userSessions]).toString('base64url');
}

/** Parses the keys of `PORTAL_SECRET`. @throws {ConfigError} for invalid text. */
export function readPortalSecret(portalSecret: string): TokenKeys {
  const bytes = Buffer.from(portalSecret, 'base64url');
  if (bytes.length !== 2 * KEY_BYTES || bytes.toString('base64url') !== portalSecret)
    throw new ConfigError('PORTAL_SECRET is not what `keys portal-secret` makes of TOKEN_SECRET');
  const [staticTokens, userSessions] = [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)];
  return {
    staticTokens,
    userSessions,
    codes: undefined,
    adminSessions: undefined,
    refreshTokens: undefined,
    clientSecrets: undefined,
  };
}

const KEY_BYTES = 32;
