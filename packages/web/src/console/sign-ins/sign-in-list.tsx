import { deviceName } from '../../pages/device.ts';
import type { Answer } from '../api/call-api.ts';
import type { ListOf } from '../list/list.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';
import type { Filter } from '../ui/table/filters.ts';
import { Time } from '../ui/time.tsx';
import { REASONS } from './reasons.ts';

export type SignIn = Answer<'GET /admin/sign-in'>['Items'][number];

/** The filters that are useful for one account, too. */
export const SIGN_IN_FILTERS: readonly Filter[] = [
  {
    name: 'result',
    label: 'signIns.result',
    options: ['Succeeded', 'SecondFactorAsked', 'Refused'],
    texts: 'signIns.result',
  },
  { name: 'reason', label: 'signIns.reason', options: REASONS, texts: 'signIns.reason' },
  {
    name: 'method',
    label: 'signIns.method',
    options: ['Password', 'MailCode', 'Passkey', 'SignOn'],
    texts: 'signIns.method',
  },
];

/** Sign-ins and refused attempts, newest first, without their accounts. */
export const SIGN_IN_LIST: ListOf<'GET /admin/sign-in'> = {
  operation: 'GET /admin/sign-in',
  caption: 'c.signIns.title',
  none: 'signIns.none',
  columns: ({ words, wordsFor }) => [
    { head: words('signIns.result'), cell: (signIn) => <Result signIn={signIn} /> },
    {
      head: words('signIns.method'),
      cell: ({ Method, Provider }) => (
        <>
          {Method === null ? '–' : wordsFor('signIns.method', Method)}
          {Provider && <span class="quiet"> · {Provider}</span>}
        </>
      ),
    },
    {
      head: words('signIns.device'),
      cell: (signIn) => deviceName(signIn) ?? words('signIns.device.unknown'),
      isClipped: true,
    },
    {
      head: words('signIns.ip'),
      cell: ({ IpAddress }) => IpAddress ?? '–',
      // IPv6 addresses may be long, others are not.
      isClipped: ({ IpAddress }) => IpAddress?.includes(':') === true,
    },
    { head: words('signIns.when'), cell: ({ At }) => <Time at={At} /> },
  ],
};

const MEANINGS: Readonly<Record<SignIn['Result'], Meaning>> = {
  Succeeded: 'success',
  SecondFactorAsked: 'warning',
  Refused: 'danger',
};

/** How it ended, and why it was refused. */
function Result({ signIn: { Result: result, Reason, Attempts } }: { signIn: SignIn }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const attempts = words('signIns.attempts', { attempts: Attempts });
  return (
    <>
      <Badge meaning={MEANINGS[result]}>{wordsFor('signIns.result', result)}</Badge>
      {Reason !== null && (
        <span class="quiet"> {Attempts > 1 ? attempts : wordsFor('signIns.reason', Reason)}</span>
      )}
    </>
  );
}
