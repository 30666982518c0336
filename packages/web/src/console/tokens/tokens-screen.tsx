import { Button } from '../../ui/form/button.tsx';
import { defineList } from '../list/define-list.tsx';
import type { ListTools } from '../list/list.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { Time } from '../ui/time.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { isReplaceable, TokenState, type ApiToken } from './token-state.tsx';

/** The list of static API tokens, with which other services call this API. */
export const TokensScreen = defineList({
  operation: 'GET /admin/api-token',
  caption: 'c.tokens.title',
  none: 'tokens.none',
  accountOf: ({ CreatedBy }) => CreatedBy,
  columns: columnsOf,
  actions: ({ words, open }) => (
    <Button
      kind="primary"
      icon={<Icon name="plus" />}
      onClick={() => open((close) => <CreateDialog onClose={close} />)}
    >
      {words('tokens.create')}
    </Button>
  ),
});

function columnsOf({ words, wordsFor, emails, open }: ListTools): Column<ApiToken>[] {
  return [
    {
      head: words('tokens.name'),
      cell: ({ Id, Name }) => <a href={`/console/tokens/${Id}`}>{Name}</a>,
      isClipped: true,
    },
    { head: words('tokens.state'), cell: (token) => <TokenState token={token} /> },
    { head: words('tokens.prefix'), cell: ({ Prefix }) => <code>{Prefix}…</code> },
    { head: words('tokens.role'), cell: ({ Role }) => wordsFor('role', Role) },
    {
      head: words('tokens.used'),
      cell: ({ LastUsedAt, LastUsedIp }) => (
        <>
          <Time at={LastUsedAt} /> {LastUsedIp && <span class="quiet">{LastUsedIp}</span>}
        </>
      ),
      isClipped: true,
    },
    { head: words('tokens.expires'), cell: ({ ExpiresAt }) => <Time at={ExpiresAt} /> },
    {
      head: words('tokens.networks'),
      cell: ({ Networks }) => Networks?.join(', ') ?? words('tokens.anywhere'),
      isClipped: true,
    },
    {
      head: words('tokens.created'),
      cell: ({ CreatedAt, CreatedBy }) => (
        <>
          <Time at={CreatedAt} />{' '}
          {CreatedBy !== null && emails.has(CreatedBy) && (
            <a href={`/console/accounts/${CreatedBy}`}>{emails.get(CreatedBy)}</a>
          )}
        </>
      ),
      isClipped: true,
      isSecondary: true,
    },
    {
      head: words('tokens.do'),
      isPinned: true,
      cell: (token) =>
        token.RevokedAt === null && (
          <Menu label={words('tokens.menu', { name: token.Name })}>
            {isReplaceable(token) && (
              <MenuItem onClick={() => open((close) => <RotateDialog token={token} onClose={close} />)}>
                {words('tokens.rotate')}
              </MenuItem>
            )}
            <MenuItem danger onClick={() => open((close) => <RevokeDialog token={token} onClose={close} />)}>
              {words('tokens.revoke')}
            </MenuItem>
          </Menu>
        ),
    },
  ];
}
