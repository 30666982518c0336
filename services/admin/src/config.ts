import {
  accountSettings,
  consoleSettings,
  firstAdminSettings,
  issuingSettings,
  pagesSettings,
  passkeySettings,
  twoFactorSettings,
} from '@gatehouse/accounts';
import { brandSettings } from '@gatehouse/brand';
import { apiSettings } from '@gatehouse/http';
import {
  ConfigError,
  optionalSecret,
  pageAddressSettings,
  processSettings,
  setting,
} from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { retentionSettings } from './retention/retention-settings.ts';

const { CONTENT_URL, SUPPORT_URL } = pageAddressSettings();

/** Admin's settings, by their names in the environment. */
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
  FACE_IMAGE_ORIGINS: setting('', 'Origins, with commas, from which the console shows images of faces'),
  SSO_PROVIDERS: optionalSecret('The identity providers as a JSON list, with their secrets'),
});

/** Encrypted, or of the machine itself, which nothing comes between. */
const SECURE_ORIGIN = /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)(:|$))/;

/**
 * Reads `FACE_IMAGE_ORIGINS`, which go into a header as they are.
 *
 * @throws {ConfigError} for what is no https origin, nor one of this machine's own.
 */
export function readOrigins(list: string): string[] {
  const origins = list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin && SECURE_ORIGIN.test(origin)) continue;
    throw new ConfigError(
      'FACE_IMAGE_ORIGINS must be https origins, as https://images.example.com, with commas',
    );
  }
  return origins;
}
