import { useWords, useWordsFor, type Words } from '../text.ts';
import { DataTable, type Column } from '../ui/table/data-table.tsx';
import type { Selection } from '../ui/table/row-selection.tsx';
import { Time } from '../ui/time.tsx';
import type { ListedAccount } from './account-filter.ts';
import { ConditionBadge } from './condition-badge.tsx';

interface AccountsTableProps {
  rows: readonly ListedAccount[];
  isOld: boolean;
  selection: Selection;
}

/** Accounts, newest first. */
export function AccountsTable({ rows, isOld, selection }: AccountsTableProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  return (
    <DataTable
      caption={words('c.accounts.title')}
      columns={columnsOf(words, wordsFor)}
      rows={rows}
      keyOf={({ Id }) => Id}
      hrefOf={({ Id }) => `/console/accounts/${Id}`}
      isOld={isOld}
      selection={selection}
    />
  );
}

function columnsOf(words: Words, wordsFor: ReturnType<typeof useWordsFor>): Column<ListedAccount>[] {
  return [
    { key: 'email', head: words('accounts.email'), cell: ({ Email }) => Email, isClipped: true },
    {
      key: 'name',
      head: words('accounts.name'),
      cell: ({ DisplayName }) => DisplayName ?? '–',
      isClipped: true,
    },
    { key: 'role', head: words('accounts.role'), cell: ({ Role }) => wordsFor('role', Role) },
    {
      key: 'condition',
      head: words('accounts.condition'),
      cell: ({ LoginStatus }) => <ConditionBadge status={LoginStatus} />,
    },
    {
      key: 'twoFactor',
      head: words('accounts.twoFactor'),
      cell: ({ TwoFactorEnabled, HasPasskey }) =>
        [TwoFactorEnabled && words('accounts.app'), HasPasskey && words('accounts.passkey')]
          .filter(Boolean)
          .join(', ') || '–',
    },
    { key: 'created', head: words('accounts.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
    { key: 'login', head: words('accounts.lastLogin'), cell: ({ LastLoginAt }) => <Time at={LastLoginAt} /> },
  ];
}
