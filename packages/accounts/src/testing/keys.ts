import { portalSecretOf, publicKeySetOf } from '@gatehouse/auth-core';
import type { ApiName } from '@gatehouse/db';
import type { ServiceSettings } from '../settings/key-settings.ts';

/** The settings of a deployment for one service: without the keys that it does not use. */
export function keysOfService(service: ApiName, all: ServiceSettings): ServiceSettings {
  if (service === 'core') return all;
  const { TOKEN_SECRET = '', SIGNING_KEYS = '', ID_TOKEN_KEYS: _, ...others } = all;
  if (service === 'admin') return { ...others, TOKEN_SECRET, SIGNING_KEYS };
  const own = {
    PORTAL_SECRET: portalSecretOf(TOKEN_SECRET),
    VERIFICATION_KEYS: publicKeySetOf(SIGNING_KEYS),
  };
  return { ...others, ...own };
}
