import { brandSettings, readBrand } from '@gatehouse/brand';
import { databaseSettings } from '@gatehouse/db';
import { brokerSettings } from '@gatehouse/events';
import { readMailLocales } from '@gatehouse/mails';
import {
  authoritySetting,
  ConfigError,
  pageAddressSettings,
  processSettings,
  readPageAddresses,
  readServiceConfig,
  secret,
} from '@gatehouse/runtime';
import { normalizeEmail, Type } from '@gatehouse/schema';

const { CONTENT_URL, SUPPORT_URL } = pageAddressSettings();

export const configSchema = Type.Object({
  ...processSettings({ internalPort: 9084 }),
  ...databaseSettings(),
  ...brokerSettings(),
  SMTP_URL: Type.String({
    pattern: /^smtps?:\/\//.source,
    description:
      'mail server: smtps:// for TLS; smtp:// for STARTTLS, with a password always, else where offered; ?maxConnections= bounds',
    writeOnly: true,
  }),
  SMTP_CA: authoritySetting('the mail server'),
  MAIL_FROM: Type.String({ minLength: 1, description: 'the sender: `Name <address>` or an address alone' }),
  MAIL_KEY: secret('opens what the services sealed for mails, under its public half'),
  PUBLIC_URL: Type.String({ minLength: 1, description: 'where links in mails lead' }),
  CONTENT_URL,
  SUPPORT_URL,
  ...brandSettings,
  MAIL_KEEP_DAYS: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'how long the record of a sent mail is kept; that of a parked one at least 90 days',
  }),
});

export interface Sender {
  name: string;
  address: string;
}

/** @throws {ConfigError} naming all faults that the schema detects, or otherwise the first other fault. */
export function readWorkerConfig(environment?: NodeJS.ProcessEnv) {
  const config = readServiceConfig(configSchema, environment);
  return {
    ...config,
    from: readSender(config.MAIL_FROM),
    publicUrl: readPublicUrl(config.PUBLIC_URL),
    pageAddresses: readPageAddresses(config),
    brand: readBrand(config.BRAND_FILE),
    locales: readMailLocales(config.LOCALES_DIRECTORY),
  };
}

function readSender(text: string): Sender {
  const [, quoted = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  const address = normalizeEmail(inBrackets ?? text);
  const name = quoted.trim().replace(/^"(.*)"$/, '$1');
  if (address === undefined || /\p{Cc}/u.test(name))
    throw new ConfigError('MAIL_FROM must be an email address or `Name <address>`');
  return { name, address };
}

function readPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new ConfigError('PUBLIC_URL must be an http or https address');
  return url.href;
}
