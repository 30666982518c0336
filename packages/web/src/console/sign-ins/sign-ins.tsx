import { deviceName } from '../../ui/device-name.ts';
import type { Answer, Input } from '../api/call-api.ts';
import { defineList, type ListOf } from '../kit/list.tsx';
import { IP_ADDRESS, ProviderName } from '../objects.tsx';
import { useProviders } from '../sessions/session-filter.ts';
import { type PrefixFor, words, wordsFor } from '../text.ts';
import type { Filter } from '../ui/filters.ts';
import { ago, badgesOf, Person } from '../ui/values.tsx';

type SignIn = Answer<'GET /admin/sign-in'>['Items'][number];
type Reason = NonNullable<NonNullable<Input<'GET /admin/sign-in'>['query']>['reason']>;

/** Why a sign-in can be refused (docs/sign-ins.md): by its type, every reason of the API has a text. */
const REASON: PrefixFor<'signIns.reason', Reason> = 'signIns.reason';

const ResultBadge = badgesOf<SignIn['Result']>('signIns.result', {
  Succeeded: 'success',
  SecondFactorAsked: 'warning',
  Refused: 'danger',
});

/** The filters that are useful for one account, too. */
export const SIGN_IN_FILTERS: readonly Filter[] = [
  { name: 'result', label: 'signIns.result', texts: 'signIns.result' },
  { name: 'reason', label: 'signIns.reason', texts: REASON },
  { name: 'method', label: 'signIns.method', texts: 'signIns.method' },
];

/** Sign-ins and refused attempts, newest first, without their accounts. */
export const SIGN_IN_LIST: ListOf<'GET /admin/sign-in'> = {
  operation: 'GET /admin/sign-in',
  caption: 'c.signIns.title',
  none: 'signIns.none',
  columns: [
    ['signIns.result', (signIn) => <Result signIn={signIn} />],
    [
      'signIns.method',
      ({ Method, Provider }) => {
        if (Provider !== null) return <ProviderName id={Provider} />;
        return Method && wordsFor('signIns.method', Method);
      },
    ],
    ['sessions.device', (signIn) => deviceName(signIn) ?? words('signIns.device.unknown'), 'clipped'],
    IP_ADDRESS,
    ago('audit.when', 'At'),
  ],
};

function Result({ signIn: { Result: result, Reason: reason, Attempts } }: { signIn: SignIn }) {
  const attempts = words('signIns.attempts', { attempts: Attempts });
  return (
    <>
      <ResultBadge of={result} />
      {reason !== null && <span class="quiet"> {Attempts > 1 ? attempts : wordsFor(REASON, reason)}</span>}
    </>
  );
}

export const SignInsScreen = defineList({
  ...SIGN_IN_LIST,
  filters: [
    ...SIGN_IN_FILTERS,
    { name: 'provider', label: 'methods.provider', useOptions: useProviders },
    { name: 'from', label: 'audit.from', type: 'datetime-local' },
    { name: 'to', label: 'audit.to', type: 'datetime-local' },
    { name: 'ipAddress', label: 'audit.ip', isRare: true },
    { name: 'userId', label: 'sessions.userId', isRare: true },
    { name: 'traceId', label: 'state.trace', isRare: true },
  ],
  columns: [
    [
      'signIns.account',
      ({ UserId: id, Email }) =>
        id === null ? (
          <span class="quiet">{words('signIns.account.none')}</span>
        ) : (
          <a href={`/console/accounts/${id}`}>
            <Person email={Email ?? id} />
          </a>
        ),
      'clipped',
    ],
    ...SIGN_IN_LIST.columns,
  ],
});
