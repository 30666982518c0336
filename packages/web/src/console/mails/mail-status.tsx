import type { Answer } from '../api/call-api.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';
import { meaningOf } from './mail-error.ts';

export type Mail = Answer<'GET /admin/mail/{id}'>;

const MEANINGS: Record<Mail['Status'], Meaning> = {
  Pending: 'neutral',
  Sent: 'success',
  Retrying: 'warning',
  Parked: 'danger',
};

export const STATUSES = Object.keys(MEANINGS);

/** The delivery status of a mail. */
export function MailStatus({ status }: { status: Mail['Status'] }) {
  const wordsFor = useWordsFor();
  return <Badge meaning={MEANINGS[status]}>{wordsFor('mails.status', status)}</Badge>;
}

/** The explanation of a mail error if there is one, else the error itself. */
export function MailError({ error }: { error: string | null }) {
  const words = useWords();
  if (error === null) return <>–</>;
  const meaning = meaningOf(error);
  return <span title={error}>{meaning ? words(meaning) : error}</span>;
}
