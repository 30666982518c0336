import type { ServiceSettings } from '@gatehouse/accounts';
import { createClientKeys, createClientTokens, watchKeys } from '@gatehouse/auth-core';
import type { ClientKeys, ClientTokens, Keys } from '@gatehouse/auth-core';
import { ConfigError, type Lifecycle, type Log } from '@gatehouse/runtime';

/** @throws {ConfigError} if the keys of ID tokens, which only Core has, are missing or invalid. */
export function openClientTokens(options: {
  settings: ServiceSettings;
  /** The keys of our own access tokens, which Admin has, too. */
  keys: Keys;
  lifecycle: Lifecycle;
  log: Log;
  now?: () => number;
}): { clientKeys: ClientKeys; clientTokens: ClientTokens } {
  const { settings, keys, lifecycle, log, now } = options;
  const { ID_TOKEN_KEYS_FILE: file, ID_TOKEN_KEYS: json } = settings;
  const idTokenKeys = watchKeys({ file, json, holds: 'idTokens', log });
  lifecycle.onStop(() => idTokenKeys.close());
  if ([...idTokenKeys.current().keys()].some((kid) => keys.current().has(kid)))
    throw new ConfigError(
      'SIGNING_KEYS and ID_TOKEN_KEYS have a key in common: only Core may have those of ID tokens',
    );
  const clientKeys = createClientKeys({ keys, idTokenKeys });
  if (clientKeys.ownSince() === Infinity)
    log.warn('ID_TOKEN_KEYS has no key for ES256, so what applications get is signed with SIGNING_KEYS, too');
  const clientTokens = createClientTokens({
    keys: clientKeys,
    issuer: settings.ISSUER,
    ownAudience: settings.AUDIENCE,
    lifetimeSeconds: settings.ACCESS_TOKEN_SECONDS,
    leewaySeconds: settings.TOKEN_LEEWAY_SECONDS,
    ...(now && { now }),
  });
  return { clientKeys, clientTokens };
}
