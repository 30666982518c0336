import type { TextKey } from '../text.ts';

/** Messages of mail servers (their codes of RFC 3463, or their words), and explanations. The first match counts. */
const MEANINGS: readonly (readonly [RegExp, TextKey])[] = [
  [/no longer valid/i, 'mails.error.dead'],
  [/cannot be opened/i, 'mails.error.sealed'],
  [/\b5\.1\.[0-36]\b|no such (?:mailbox|user)|user unknown|unknown user/i, 'mails.error.noMailbox'],
  [/\b[45]\.2\.2\b|mailbox full|over quota/i, 'mails.error.full'],
  [/\b5\.7\.\d|spam|blocked|blacklist/i, 'mails.error.refused'],
  [/\b535\b|\b530\b|authentication/i, 'mails.error.login'],
  [/econnrefused|enotfound|etimedout|econnreset|timed? ?out|greeting/i, 'mails.error.away'],
  [/^4\d\d\b|\b4\.\d\.\d\b/, 'mails.error.busy'],
  [/^5\d\d\b/, 'mails.error.refused'],
];

/** The explanation of a mail error in plain words; `undefined` if there is none. */
export function meaningOf(error: string): TextKey | undefined {
  return MEANINGS.find(([sign]) => sign.test(error))?.[1];
}
