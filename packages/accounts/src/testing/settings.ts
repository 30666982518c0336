import { isDeepStrictEqual } from 'node:util';
import { createPasswords, portalSecretOf, publicKeySetOf, type Passwords } from '@gatehouse/auth-core';
import { TEST_ID_TOKEN_KEYS, TEST_SECRET, throwAwayKeySet } from '@gatehouse/auth-core/testing';
import type { ApiName } from '@gatehouse/db';
import { mailPublicKeyOf, readConfig } from '@gatehouse/runtime';
import { testLog, testServers } from '@gatehouse/runtime/testing';
import { Type } from '@gatehouse/schema';
import { passwordOptions } from '../open/open-accounts.ts';
import {
  accountSettings,
  idTokenSettings,
  issuingSettings,
  twoFactorSettings,
} from '../settings/account-settings.ts';
import type { ServiceSettings } from '../settings/account-settings.ts';

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
    REDIS_URL: servers.redisUrl,
    AMQP_URL: servers.amqpUrl,
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

let shared: Passwords | undefined;
let usual: ReturnType<typeof passwordOptions> | undefined;

/**
 * The password hashing that all tests of a process share, for settings with the defaults: a thread that starts and
 * hashes its first password takes 70 ms of processor time, which every test file would pay. It ends with the process.
 * `undefined` for other settings, with which an app opens its own.
 */
export function sharedPasswords(settings: TestSettings): Passwords | undefined {
  usual ??= passwordOptions(defaultSettings(settings.DATABASE_URL));
  if (!isDeepStrictEqual(passwordOptions(settings), usual)) return undefined;
  // With the priority of all else: beside other work, tests would wait for seconds for every password.
  shared ??= createPasswords({ ...usual, niceness: 0, log: testLog() });
  return shared;
}

export const PASSWORD = 'correct horse battery';

const hashes = new WeakMap<object, Promise<string>>();

export function passwordHashOf(passwords: Passwords): Promise<string> {
  const hash = hashes.get(passwords) ?? passwords.hash(PASSWORD);
  hashes.set(passwords, hash);
  return hash;
}
