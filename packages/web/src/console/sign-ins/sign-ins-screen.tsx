import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { defineList } from '../list/define-list.tsx';
import type { Filter, Option } from '../ui/table/filters.ts';
import { SIGN_IN_FILTERS, SIGN_IN_LIST, type SignIn } from './sign-in-list.tsx';

const FILTERS: readonly Filter[] = [
  ...SIGN_IN_FILTERS,
  { name: 'provider', label: 'signIns.provider', useOptions: useProviders },
  { name: 'from', label: 'signIns.from', type: 'datetime-local' },
  { name: 'to', label: 'signIns.to', type: 'datetime-local' },
  { name: 'ipAddress', label: 'signIns.ip', isRare: true },
  { name: 'userId', label: 'signIns.userId', isRare: true },
  { name: 'traceId', label: 'signIns.trace', isRare: true },
];

/** All sign-ins and refused attempts. */
export const SignInsScreen = defineList({
  ...SIGN_IN_LIST,
  filters: FILTERS,
  columns: (tools) => [
    {
      head: tools.words('signIns.account'),
      cell: (signIn) => <Account signIn={signIn} />,
      isClipped: true,
    },
    ...SIGN_IN_LIST.columns(tools),
  ],
});

function Account({ signIn: { UserId, Email } }: { signIn: SignIn }) {
  const words = useWords();
  if (UserId === null) return <span class="quiet">{words('signIns.account.none')}</span>;
  return <a href={`/console/accounts/${UserId}`}>{Email ?? UserId}</a>;
}

/** The identity providers, also one that is no longer configured. */
function useProviders(value: string): readonly (string | Option)[] {
  const { data } = useQuery('GET /admin/sso-provider', {});
  const known = data?.Items.map(({ Id, Name }) => ({ value: Id, words: Name })) ?? [];
  return value === '' || known.some((one) => one.value === value) ? known : [...known, value];
}
