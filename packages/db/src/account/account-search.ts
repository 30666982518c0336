import { MANAGED_COLUMNS, type ManagedAccount } from './account-admin.ts';
import { ACCOUNT_FILTERS, searchedOf, type AccountFilter } from './account-filter.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { defineList } from '../search/list.ts';
import { allOf } from '../search/newest-matches.ts';
import { textMatch } from '../search/filters.ts';

export const { findNewest, rowsOf, queryOf } = defineList<AccountFilter, ManagedAccount>({
  table: 'account',
  select: `select ${MANAGED_COLUMNS} from account`,
  filters: ACCOUNT_FILTERS,
  sieved: [
    'email',
    'email_key',
    'display_name',
    'created_at',
    'last_login_at',
    'is_service',
    'password_scheme',
    'groups',
  ],
});

/** Up to `max` accounts whose email or name contains a text, in no order; `undefined` if no index can search for it. */
export async function findSearched(executor: Executor, search: string, max: number) {
  const { condition, part, isIndexed } = textMatch(searchedOf('account'), search);
  if (!isIndexed) return undefined;
  const sql = `select id from account where ${condition} limit :max`;
  return await query.column<string>(executor, sql, { part, max });
}

/** Up to `max` matching accounts, in no order. */
export async function findAny(executor: Executor, filter: AccountFilter, max: number) {
  const { bindings, ...conditions } = queryOf(filter);
  const sql = `select id from account where ${allOf(conditions)} limit :max`;
  return await query.column<string>(executor, sql, { ...bindings, max });
}
