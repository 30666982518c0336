import type { Answer } from '../api/ask.ts';
import { useAsk } from '../api/use-ask.ts';
import { useWords, useWordsFor } from '../text.ts';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { FilterBar, type Filter } from '../ui/filter-bar.tsx';
import { useFilters } from '../ui/filters.ts';
import { Pager } from '../ui/pager.tsx';
import { ScreenPage } from '../ui/screen-page.tsx';
import { Empty, Loaded } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { ConditionBadge } from './condition-badge.tsx';

type Account = Answer<'GET /admin/account'>['Items'][number];

const ROLES = ['User', 'Guest', 'Admin'] as const;
const CONDITIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Every account. */
export function AccountsScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { values } = useFilters();
  const { search, role, loginStatus, hasTwoFactor, isThrottled, createdFrom, createdTo, cursor } = values;
  const asked = useAsk('GET /admin/account', {
    // What stands in an address may be anything: the API says what it takes.
    query: {
      search,
      role,
      loginStatus,
      hasTwoFactor,
      isThrottled,
      createdFrom,
      createdTo,
      cursor,
      count: true,
    } as object,
  });
  return (
    <ScreenPage title={words('c.accounts.title')} wide>
      <FilterBar filters={filtersOf(words, wordsFor)} />
      <Loaded asked={asked} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('accounts.none')} />
            ) : (
              <DataTable
                caption={words('c.accounts.title')}
                columns={columnsOf(words, wordsFor)}
                rows={Items}
                keyOf={({ Id }) => Id}
                hrefOf={({ Id }) => `/console/accounts/${Id}`}
                isOld={asked.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
    </ScreenPage>
  );
}

function filtersOf(words: ReturnType<typeof useWords>, wordsFor: ReturnType<typeof useWordsFor>): Filter[] {
  const yesOrNo = [
    { value: 'true', words: words('yes') },
    { value: 'false', words: words('no') },
  ];
  return [
    { name: 'search', label: words('accounts.search'), type: 'search' },
    {
      name: 'role',
      label: words('accounts.role'),
      options: ROLES.map((value) => ({ value, words: wordsFor('role', value) })),
    },
    {
      name: 'loginStatus',
      label: words('accounts.condition'),
      options: CONDITIONS.map((value) => ({
        value: String(value),
        words: wordsFor('condition', value),
      })),
    },
    { name: 'hasTwoFactor', label: words('accounts.twoFactor'), options: yesOrNo },
    { name: 'isThrottled', label: words('overview.throttled'), options: yesOrNo },
    { name: 'createdFrom', label: words('audit.from') },
    { name: 'createdTo', label: words('audit.to') },
  ];
}

function columnsOf(
  words: ReturnType<typeof useWords>,
  wordsFor: ReturnType<typeof useWordsFor>,
): Column<Account>[] {
  return [
    { key: 'email', head: words('accounts.email'), cell: ({ Email }) => Email },
    { key: 'name', head: words('accounts.name'), cell: ({ DisplayName }) => DisplayName ?? '–' },
    { key: 'role', head: words('accounts.role'), cell: ({ Role }) => wordsFor('role', Role) },
    {
      key: 'condition',
      head: words('accounts.condition'),
      cell: ({ LoginStatus }) => <ConditionBadge status={LoginStatus} />,
    },
    {
      key: 'twoFactor',
      head: words('accounts.twoFactor'),
      cell: ({ TwoFactorEnabled }) => words(TwoFactorEnabled ? 'yes' : 'no'),
    },
    { key: 'created', head: words('accounts.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
    { key: 'login', head: words('accounts.lastLogin'), cell: ({ LastLoginAt }) => <Time at={LastLoginAt} /> },
  ];
}
