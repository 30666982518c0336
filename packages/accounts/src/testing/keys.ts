import { portalSecretOf, publicKeySetOf } from '@gatehouse/auth-core';
import type { ApiName } from '@gatehouse/db';
import type { ServiceSettings } from '../settings/key-settings.ts';

/** The settings of a deployment for one service: without the keys that it does not use. */
export function keysOfService(service: ApiName, all: ServiceSettings): ServiceSettings {
  switch (service) {
    case 'core':
      return all;
    case 'admin':
      return { ...all, ID_TOKEN_KEYS: undefined };
    case 'portal':
      return {
        ...all,
        TOKEN_SECRET: undefined,
        SIGNING_KEYS: undefined,
        ID_TOKEN_KEYS: undefined,
        PORTAL_SECRET: portalSecretOf(all.TOKEN_SECRET ?? ''),
        VERIFICATION_KEYS: publicKeySetOf(all.SIGNING_KEYS ?? ''),
      };
  }
}
