import { distinctGroups } from '@gatehouse/schema';
import { CHANGED_COLUMNS, changeBindings, findMany, MANAGED_COLUMNS } from './account-admin.ts';
import type { AccountChange, ManagedAccount } from './account-admin.ts';
import type { AccountFilter } from './account-filter.ts';
import { ADMINISTRATOR } from './account-groups.ts';
import { queryOf } from './account-search.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { allOf } from '../search/newest-matches.ts';

/**
 * Those of these accounts that match the filter, newest first. With `locks`, they are locked until the transaction
 * ends, in the order of the email keys, as everywhere, to prevent deadlocks; they are then read with a second statement,
 * because other tables may have changed while the first one waited for locks.
 */
export async function findMatching(
  executor: Executor,
  accountIds: readonly string[],
  filter: AccountFilter,
  { locks }: { locks: boolean },
): Promise<ManagedAccount[]> {
  const { bindings, ...conditions } = queryOf(filter);
  const sql = `select id from account where id = any(cast(:accountIds as uuid[])) and ${allOf(conditions)}
     ${locks ? 'order by email_key for update' : ''}`;
  return findMany(executor, await query.column<string>(executor, sql, { ...bindings, accountIds }));
}

const UNCHANGED_COLUMNS = [
  'id',
  'email',
  'signup',
  'password_scheme',
  'email_verified_at',
  'is_contested',
  'created_at',
  'last_login_at',
  'groups',
];

/** The accounts with these ids, newest first, as they would be after the change. */
export async function findAsChanged(
  executor: Executor,
  accountIds: readonly string[],
  change: AccountChange,
): Promise<ManagedAccount[]> {
  const changed = Object.entries(CHANGED_COLUMNS).map(([column, expression]) => `${expression} as ${column}`);
  const sql = `select ${MANAGED_COLUMNS}
    from (
      select ${[...UNCHANGED_COLUMNS, ...changed].join(', ')}
      from account
      where id = any(cast(:accountIds as uuid[]))
    ) account
    order by id desc`;
  const accounts = await query<ManagedAccount>(executor, sql, { accountIds, ...changeBindings(change) });
  const { groups } = change;
  return groups === undefined ? accounts : accounts.map((account) => withOwnGroups(account, groups));
}

/** The account if administrators gave it these labels. */
function withOwnGroups(account: ManagedAccount, labels: readonly string[]): ManagedAccount {
  const others = account.groupSources.filter(({ source }) => source !== ADMINISTRATOR);
  const groupSources = [...others, ...labels.map((label) => ({ label, source: ADMINISTRATOR }))];
  return { ...account, groupSources, groups: distinctGroups(groupSources.map(({ label }) => label)) };
}
