import { isDeepStrictEqual } from 'node:util';
import { createPasswords, type Passwords } from '@gatehouse/auth-core';
import { testLog } from '@gatehouse/runtime/testing';
import { passwordOptions } from '../open/jobs.ts';
import { defaultSettings, type TestSettings } from './settings.ts';

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
