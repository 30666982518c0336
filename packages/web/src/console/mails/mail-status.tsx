import type { Answer } from '../api/call-api.ts';
import { type TextKey, words, wordsFor } from '../text.ts';
import { Badge, type Meaning, None } from '../ui/values.tsx';

export type Mail = Answer<'GET /admin/mail/{id}'>;

const MEANINGS: Record<Mail['Status'], Meaning> = {
  Pending: 'neutral',
  Sent: 'success',
  Retrying: 'warning',
  Parked: 'danger',
};

export const STATUSES = Object.keys(MEANINGS);

export function MailStatus({ status }: { status: Mail['Status'] }) {
  return <Badge meaning={MEANINGS[status]}>{wordsFor('mails.status', status)}</Badge>;
}

/** Messages of mail servers (their codes of RFC 3463, or their words), and explanations. The first match counts. */
const ERRORS: readonly (readonly [RegExp, TextKey])[] = [
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

/** The explanation of a mail error if there is one, else the error itself. */
export function MailError({ error }: { error: string | null }) {
  if (error === null) return <None />;
  const meaning = ERRORS.find(([sign]) => sign.test(error))?.[1];
  return <span title={error}>{meaning ? words(meaning) : error}</span>;
}
