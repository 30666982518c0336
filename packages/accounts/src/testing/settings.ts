import { TEST_ID_TOKEN_KEYS, TEST_SECRET, throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { mailPublicKeyOf, readConfig } from '@gatehouse/runtime';
import { testServers } from '@gatehouse/runtime/testing';
import { Type } from '@gatehouse/schema';
import { accountSettings } from '../settings/account-settings.ts';
import { idTokenSettings, issuingSettings, twoFactorSettings } from '../settings/key-settings.ts';
import type { ServiceSettings } from '../settings/key-settings.ts';

export type TestSettings = ServiceSettings & { TOKEN_SECRET: string; MAIL_KEY: string };

const schema = Type.Object({
  ...accountSettings(),
  ...issuingSettings(),
  ...twoFactorSettings(),
  ...idTokenSettings(),
});

/** Production's defaults, except for the cheapest hash, and as many mails as the tests of a file request. */
export function defaultSettings(databaseUrl: string): TestSettings {
  const servers = testServers();
  const settings = readConfig(schema, {
    DATABASE_URL: databaseUrl,
    REDIS_URL: servers.TEST_REDIS_URL,
    AMQP_URL: servers.TEST_AMQP_URL,
    ISSUER: 'https://gatehouse.test',
    SIGNING_KEYS: throwAwayKeySet(),
    ID_TOKEN_KEYS: TEST_ID_TOKEN_KEYS,
    TOKEN_SECRET: TEST_SECRET,
    PASSWORD_PEPPER: TEST_SECRET,
    TWO_FACTOR_KEY: TEST_SECRET,
    MAIL_PUBLIC_KEY: mailPublicKeyOf(TEST_SECRET),
    MAILS_PER_ADDRESS: '2000',
    BCRYPT_COST: '4',
    HASH_THREADS: '1',
  });
  return { ...settings, MAIL_KEY: TEST_SECRET };
}
