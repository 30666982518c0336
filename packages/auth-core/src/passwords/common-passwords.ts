import { dictionary } from '@zxcvbn-ts/language-common';

/** About 49,000 passwords that were leaked most often, in lower case; guessing starts with them. */
const COMMON = new Set(dictionary['passwords-common']);

export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}
