import { createClientTokens, watchKeys, type ClientTokens, type Keys } from '@gatehouse/auth-core';
import type { Lifecycle, Log } from '@gatehouse/runtime';
import type { ServiceSettings } from '../settings/service-settings.ts';

/**
 * The keys of ID tokens, and what signs and reads the tokens of OAuth clients: for Core alone.
 *
 * @throws {ConfigError} if the keys are missing or invalid.
 */
export function openClientTokens(options: {
  settings: ServiceSettings;
  /** The keys of access tokens. */
  keys: Keys;
  lifecycle: Lifecycle;
  log: Log;
  now?: () => number;
}): { idTokenKeys: Keys; clientTokens: ClientTokens } {
  const { settings, keys, lifecycle, log, now } = options;
  const { ID_TOKEN_KEYS_FILE: file, ID_TOKEN_KEYS: json } = settings;
  const idTokenKeys = watchKeys({ file, json, holds: 'idTokens', log });
  lifecycle.onStop(() => idTokenKeys.close());
  const clientTokens = createClientTokens({
    keys,
    idTokenKeys,
    issuer: settings.ISSUER,
    ownAudience: settings.AUDIENCE,
    lifetimeSeconds: settings.ACCESS_TOKEN_SECONDS,
    leewaySeconds: settings.TOKEN_LEEWAY_SECONDS,
    ...(now && { now }),
  });
  return { idTokenKeys, clientTokens };
}
