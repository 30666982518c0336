import { Button } from '../../ui/form/button.tsx';
import { defineList } from '../list/define-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { queryOf } from '../ui/table/filters.ts';
import { Time } from '../ui/time.tsx';
import { ACCOUNT_FILTERS } from './account-filter.ts';
import { AccountsDialog } from './bulk/accounts-dialog.tsx';
import { Badge } from '../ui/badge.tsx';
import { ConditionBadge, isWaiting } from './condition-badge.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { ExportAccounts } from './export-accounts.tsx';

/** All accounts. A bulk change targets the accounts that match the list's filters, or the selected ones. */
export const AccountsScreen = defineList({
  operation: 'GET /admin/account',
  caption: 'c.accounts.title',
  none: 'accounts.none',
  hrefOf: ({ Id }) => `/console/accounts/${Id}`,
  filters: ACCOUNT_FILTERS,
  columns: ({ words, wordsFor }) => [
    { head: words('accounts.email'), cell: ({ Email }) => Email, isClipped: true },
    { head: words('accounts.name'), cell: ({ DisplayName }) => DisplayName ?? '–', isClipped: true },
    { head: words('accounts.role'), cell: ({ Role }) => wordsFor('role', Role) },
    {
      head: words('accounts.condition'),
      cell: ({ LoginStatus, HasPassword }) => (
        <>
          <ConditionBadge status={LoginStatus} />
          {!HasPassword && !isWaiting(LoginStatus) && (
            <>
              {' '}
              <Badge meaning="neutral">{words('accounts.withoutPassword')}</Badge>
            </>
          )}
        </>
      ),
    },
    {
      head: words('accounts.twoFactor'),
      cell: ({ TwoFactorEnabled, HasPasskey }) =>
        [TwoFactorEnabled && words('accounts.app'), HasPasskey && words('accounts.passkey')]
          .filter(Boolean)
          .join(', ') || '–',
    },
    { head: words('accounts.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} />, isSecondary: true },
    { head: words('accounts.lastLogin'), cell: ({ LastLoginAt }) => <Time at={LastLoginAt} /> },
  ],
  nameOf: ({ Email }) => Email,
  change: (target, close) => <AccountsDialog target={target} onClose={close} />,
  actions: ({ words, values, open, changeAll }) => (
    <>
      <Button
        icon={<Icon name="export" />}
        onClick={() =>
          open((close) => <ExportAccounts query={queryOf(ACCOUNT_FILTERS, values)} onClose={close} />)
        }
      >
        {words('export.title')}
      </Button>
      {changeAll}
      <Button
        kind="primary"
        icon={<Icon name="plus" />}
        onClick={() => open((close) => <CreateDialog onClose={close} />)}
      >
        {words('accounts.create')}
      </Button>
    </>
  ),
});
