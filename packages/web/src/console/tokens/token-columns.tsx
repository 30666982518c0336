import type { useWordsFor, Words } from '../text.ts';
import type { Column } from '../ui/table/data-table.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Time } from '../ui/time.tsx';
import { isReplaceable, TokenState, type ApiToken } from './token-state.tsx';

interface TokenColumns {
  words: Words;
  wordsFor: ReturnType<typeof useWordsFor>;
  /** The emails of the accounts that created the tokens, by account id. */
  emails: ReadonlyMap<string, string>;
  onRotate: (token: ApiToken) => void;
  onRevoke: (token: ApiToken) => void;
}

/** The columns of the token list, including the buttons to rotate and revoke. */
export function columnsOf({ words, wordsFor, emails, onRotate, onRevoke }: TokenColumns): Column<ApiToken>[] {
  return [
    {
      key: 'name',
      head: words('tokens.name'),
      cell: ({ Id, Name }) => <a href={`/console/tokens/${Id}`}>{Name}</a>,
      isClipped: true,
    },
    { key: 'state', head: words('tokens.state'), cell: (token) => <TokenState token={token} /> },
    { key: 'prefix', head: words('tokens.prefix'), cell: ({ Prefix }) => <code>{Prefix}…</code> },
    { key: 'role', head: words('tokens.role'), cell: ({ Role }) => wordsFor('role', Role) },
    {
      key: 'used',
      head: words('tokens.used'),
      cell: ({ LastUsedAt, LastUsedIp }) => (
        <>
          <Time at={LastUsedAt} /> {LastUsedIp && <span class="quiet">{LastUsedIp}</span>}
        </>
      ),
      isClipped: true,
    },
    { key: 'expires', head: words('tokens.expires'), cell: ({ ExpiresAt }) => <Time at={ExpiresAt} /> },
    {
      key: 'networks',
      head: words('tokens.networks'),
      cell: ({ Networks }) => Networks?.join(', ') ?? words('tokens.anywhere'),
      isClipped: true,
    },
    {
      key: 'created',
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
    },
    {
      key: 'do',
      head: words('tokens.do'),
      isPinned: true,
      cell: (token) =>
        token.RevokedAt === null && (
          <Menu label={words('tokens.menu', { name: token.Name })}>
            {isReplaceable(token) && (
              <MenuItem onClick={() => onRotate(token)}>{words('tokens.rotate')}</MenuItem>
            )}
            <MenuItem danger onClick={() => onRevoke(token)}>
              {words('tokens.revoke')}
            </MenuItem>
          </Menu>
        ),
    },
  ];
}
