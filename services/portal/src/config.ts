import { accountSettings, pagesSettings, verifyingSettings } from '@gatehouse/accounts';
import { apiSettings } from '@gatehouse/http';
import {
  pageAddressSettings,
  processSettings,
  readPageAddresses,
  readServiceConfig,
  setting,
} from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { pageSettings, readPageStyle } from '@gatehouse/web';

const { APP_URL, CONTENT_URL, SUPPORT_URL } = pageAddressSettings();

/** Portal issues no tokens, and has no key for that. */
export const settings = Type.Object({
  ...apiSettings({ port: 8082 }),
  ...processSettings({ internalPort: 9082 }),
  ...accountSettings(),
  ...verifyingSettings(),
  ...pagesSettings(),
  ...pageSettings,
  APP_URL,
  CONTENT_URL,
  SUPPORT_URL,
  HOSTED_PAGES: setting(true, 'Whether Portal serves the account pages, such as /login'),
});

/** @throws {ConfigError} that lists all violations of the schema, or the first other error. */
export function readPortalConfig(environment?: NodeJS.ProcessEnv) {
  const config = readServiceConfig(settings, environment);
  const { contentUrl, appUrl, supportUrl } = readPageAddresses(config);
  const pages = {
    style: readPageStyle(config),
    PublicUrl: config.PUBLIC_URL ?? config.ISSUER,
    AppUrl: appUrl,
    SupportUrl: supportUrl,
    PasswordMinLength: config.PASSWORD_MIN_LENGTH,
    EraseAfterDays: config.ERASE_AFTER_DAYS,
  };
  return { ...config, contentUrl, pages: config.HOSTED_PAGES ? pages : undefined };
}
