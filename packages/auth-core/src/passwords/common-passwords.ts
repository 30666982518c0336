import { dictionary } from '@zxcvbn-ts/language-common';

/** Some 49,000 passwords that leaked most often, in lower case; guessing starts with them. */
const COMMON = new Set(dictionary['passwords-common']);

/** Whether a password is among the commonest, however its letters are cased. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}
