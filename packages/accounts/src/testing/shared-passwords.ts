import { isDeepStrictEqual } from 'node:util';
import { createPasswords, type Passwords } from '@gatehouse/auth-core';
import { testLog } from '@gatehouse/runtime/testing';
import { passwordOptions } from '../open/password-options.ts';
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
  shared ??= createPasswords({ ...usual, log: testLog() });
  return shared;
}
