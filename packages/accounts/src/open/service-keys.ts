import { randomBytes } from 'node:crypto';
import {
  browserCookie,
  browserKeysOf,
  browserSiteOf,
  createBrowserSessions,
  createClientSecrets,
  createCodeHasher,
  createPasskeys,
  createRefreshTokens,
  readPasskeySite,
  readPortalSecret,
  signingKey,
  tokenKeysOf,
  watchKeys,
} from '@gatehouse/auth-core';
import type {
  BrowserPurpose,
  BrowserSession,
  BrowserSite,
  Keys,
  Passkeys,
  TokenKeys,
} from '@gatehouse/auth-core';
import { ConfigError, createSecretBox, deriveKey, Gauge, type Log, type Metrics } from '@gatehouse/runtime';
import type { Static, TObject } from '@gatehouse/schema';
import type { AccountsDeps } from '../deps.ts';
import type { AccountSettings, KeySettings, passkeySettings } from '../settings/account-settings.ts';

/** The keys derived from `TOKEN_SECRET`. @throws {ConfigError} if neither setting is given. */
export function readTokenKeys({ TOKEN_SECRET, PORTAL_SECRET }: KeySettings): TokenKeys {
  if (TOKEN_SECRET !== undefined) return tokenKeysOf(TOKEN_SECRET);
  if (PORTAL_SECRET !== undefined) return readPortalSecret(PORTAL_SECRET);
  throw new ConfigError('neither TOKEN_SECRET nor PORTAL_SECRET is given');
}

/** The keys of access tokens: private keys for services that issue tokens, otherwise public keys. */
export function openKeys(settings: KeySettings, log: Log): Keys {
  return settings.TOKEN_SECRET === undefined
    ? watchKeys({
        file: settings.VERIFICATION_KEYS_FILE,
        json: settings.VERIFICATION_KEYS,
        holds: 'public',
        log,
      })
    : watchKeys({ file: settings.SIGNING_KEYS_FILE, json: settings.SIGNING_KEYS, log });
}

/** The address that browsers use, by the purpose of the cookie; without an address these cookies are ignored. */
export type BrowserUrls = Readonly<Partial<Record<BrowserPurpose, string | undefined>>>;

export function openBrowserSessions(
  settings: KeySettings,
  urls: BrowserUrls,
  now: (() => number) | undefined,
): AccountsDeps['browser'] {
  const sites = PURPOSES.flatMap((purpose) => {
    const url = urls[purpose];
    return url === undefined ? [] : (browserSiteOf(purpose, url) ?? []);
  });
  return {
    sessions: createBrowserSessions(browserKeysOf(readTokenKeys(settings)), { now }),
    sites,
  };
}

const PURPOSES = ['pages', 'console'] as const;

/** A key that the service lacks is replaced by a random one, whose results no other process accepts. */
export function withKeys(
  settings: KeySettings,
): Pick<
  AccountsDeps,
  'refreshTokens' | 'clientRefreshTokens' | 'codes' | 'totpSecrets' | 'recoveryCodes' | 'clientSecrets'
> {
  const {
    codes = randomBytes(32),
    refreshTokens = randomBytes(32),
    clientSecrets = randomBytes(32),
  } = readTokenKeys(settings);
  const { TWO_FACTOR_KEY: twoFactorKey = randomBytes(32).toString('hex') } = settings;
  return {
    refreshTokens: createRefreshTokens({ key: refreshTokens }),
    clientRefreshTokens: createRefreshTokens({ key: deriveKey(refreshTokens, 'refresh token of a client') }),
    codes: createCodeHasher({ key: codes }),
    clientSecrets: createClientSecrets({ key: clientSecrets }),
    totpSecrets: createSecretBox(twoFactorKey, 'authenticator secret'),
    recoveryCodes: createCodeHasher({ key: deriveKey(twoFactorKey, 'account code') }),
  };
}

/** Measures when the current signing key was created, for an alert on old keys. */
export function measureSigningKey(keys: Keys, metrics: Metrics): void {
  const created = new Gauge({
    name: 'gatehouse_signing_key_created_seconds',
    help: 'When the key was created that signs access tokens now, in seconds since the epoch',
    registers: [],
    collect() {
      this.set(signingKey(keys.current(), Math.floor(Date.now() / 1000)).issuedAt);
    },
  });
  metrics.registerMetric(created);
}

type Settings = Readonly<Static<TObject<ReturnType<typeof passkeySettings>>>> &
  Pick<AccountSettings, 'TWO_FACTOR_ISSUER'>;

/** Checks passkeys; `undefined`, with a log entry, if browsers would allow none. @throws {ConfigError} saying why. */
export function openPasskeys(
  settings: Settings,
  urls: { pagesUrl: string; consoleUrl: string | undefined },
  log: Log,
): Passkeys | undefined {
  const reading = readPasskeySite({
    rpId: settings.PASSKEY_RP_ID,
    rpName: settings.TWO_FACTOR_ISSUER,
    origins: settings.PASSKEY_ORIGINS,
    ...urls,
  });
  if (reading.kind === 'on') return createPasskeys(reading.site);
  log.warn('passkeys are disabled: browsers do not create them for an IP address, set PASSKEY_RP_ID', {
    host: reading.host,
  });
  return undefined;
}

/** The `Set-Cookie` of a session, until its expiry; with `isKept`, it outlives the browser. */
export function sessionCookie(
  { browser, settings, now }: Pick<AccountsDeps, 'browser' | 'settings' | 'now'>,
  site: BrowserSite,
  session: BrowserSession,
  { isKept = false }: { isKept?: boolean | undefined } = {},
): string {
  const value = browser.sessions.issue(site.purpose, session);
  if (!isKept) return browserCookie(site, value);
  const leftSeconds = session.endsAt === undefined ? Infinity : session.endsAt - Math.floor(now() / 1000);
  return browserCookie(site, value, Math.min(settings.SESSION_MAX_SECONDS, Math.max(0, leftSeconds)));
}
