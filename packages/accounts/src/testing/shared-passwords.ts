import { createPasswords, type Passwords } from '@gatehouse/auth-core';
import { testLog } from '@gatehouse/runtime/testing';
import { defaultSettings, type TestSettings } from './settings.ts';

let shared: { passwords: Passwords; settings: TestSettings } | undefined;

/**
 * The password hashing that all tests of a process share, for settings with the defaults: a thread that starts and
 * hashes its first password takes 70 ms of processor time, which every test file would pay. It ends with the process.
 * `undefined` for other settings, with which an app opens its own.
 */
export function sharedPasswords(settings: TestSettings): Passwords | undefined {
  shared ??= open(defaultSettings(settings.DATABASE_URL));
  const usual = shared.settings;
  return HASHING.every((name) => settings[name] === usual[name]) ? shared.passwords : undefined;
}

function open(settings: TestSettings) {
  const passwords = createPasswords({
    pepper: settings.PASSWORD_PEPPER,
    algorithm: settings.PASSWORD_HASH,
    cost: settings.BCRYPT_COST,
    memoryKib: settings.ARGON2_MEMORY_KIB,
    passes: settings.ARGON2_PASSES,
    threads: settings.HASH_THREADS,
    minLength: settings.PASSWORD_MIN_LENGTH,
    log: testLog(),
  });
  return { passwords, settings };
}

const HASHING = [
  'PASSWORD_PEPPER',
  'PASSWORD_HASH',
  'BCRYPT_COST',
  'ARGON2_MEMORY_KIB',
  'ARGON2_PASSES',
  'HASH_THREADS',
  'PASSWORD_MIN_LENGTH',
] as const;
