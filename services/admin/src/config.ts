import {
  accountSettings,
  consoleSettings,
  issuingSettings,
  pagesSettings,
  passkeySettings,
  twoFactorSettings,
} from '@gatehouse/accounts';
import { brandSettings } from '@gatehouse/brand';
import { apiSettings } from '@gatehouse/http';
import {
  ConfigError,
  egressSettings,
  webhooksSettings,
  optionalSecret,
  pageAddressSettings,
  processSettings,
  proxySettings,
  setting,
} from '@gatehouse/runtime';
import { Optional, Type } from '@gatehouse/schema';
import { firstAdminSettings } from './account/first-admin.ts';
import { retentionSettings } from './erasure/retention.ts';

const { CONTENT_URL, SUPPORT_URL } = pageAddressSettings();

export const settings = Type.Object({
  ...apiSettings({ port: 8083 }),
  ...processSettings({ internalPort: 9083 }),
  ...accountSettings(),
  ...issuingSettings(),
  ...twoFactorSettings(),
  ...consoleSettings(),
  ...passkeySettings(),
  ...pagesSettings(),
  ...brandSettings,
  CONTENT_URL,
  SUPPORT_URL,
  ...firstAdminSettings(),
  ...retentionSettings(),
  ...webhooksSettings(),
  HOOK_PUBLIC_KEY: Optional.String({
    description: 'Encrypts the secrets of webhooks: the public half of HOOK_KEY',
  }),
  ...egressSettings(),
  ...proxySettings(),
  FACE_IMAGE_ORIGINS: setting('', 'Origins, with commas, from which the console shows images of faces'),
  OAUTH_CLIENTS: Optional.String({
    minLength: 1,
    description: 'Applications that sign people in through Gatehouse, as a JSON list',
  }),
  SSO_PROVIDERS: optionalSecret('The identity providers as a JSON list, with their secrets'),
});

const SECURE_ORIGIN = /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)(:|$))/;

/** @throws {ConfigError} for anything but https and local origins: `FACE_IMAGE_ORIGINS` is copied into a header. */
export function readOrigins(list: string): string[] {
  const origins = list.split(',').flatMap((one) => one.trim() || []);
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin && SECURE_ORIGIN.test(origin)) continue;
    throw new ConfigError(
      'FACE_IMAGE_ORIGINS must be https origins, as https://images.example.com, with commas',
    );
  }
  return origins;
}
