import { CHANGED_COLUMNS, changeBindings, findMany, MANAGED_COLUMNS } from './account-admin.ts';
import type { AccountChange, ManagedAccount } from './account-admin.ts';
import { conditionsOf, type AccountFilter } from './account-filter.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { allOf } from '../search/newest-matches.ts';

/**
 * Locks the accounts that still match the filter until the transaction ends, and returns them newest first. Locks are
 * taken in the order of the email keys, as everywhere, to prevent deadlocks. The accounts are read with a second
 * statement, because other tables may have changed while the first one waited for locks.
 */
export async function lockMatchingAccounts(
  tx: Transaction,
  accountIds: readonly string[],
  filter: AccountFilter,
): Promise<ManagedAccount[]> {
  const { sql, bindings } = fitting('id', accountIds, filter);
  const held = await query<{ id: string }>(tx, `${sql} order by email_key for update`, bindings);
  return findMany(
    tx,
    held.map(({ id }) => id),
  );
}

/** Like `lockMatchingAccounts`, but without locking the accounts. */
export async function findMatchingAccounts(
  executor: Executor,
  accountIds: readonly string[],
  filter: AccountFilter,
): Promise<ManagedAccount[]> {
  const { sql, bindings } = fitting(MANAGED_COLUMNS, accountIds, filter);
  return await query<ManagedAccount>(executor, sql, bindings);
}

/**
 * An account that was found by its identifier matches, although its text may not contain the identifier: callers
 * remove such a search from the filter.
 */
function fitting(columns: string, accountIds: readonly string[], filter: AccountFilter) {
  const { bindings, ...conditions } = conditionsOf(filter);
  return {
    sql: `select ${columns} from account where id = any(cast(:accountIds as uuid[])) and ${allOf(conditions)}`,
    bindings: { ...bindings, accountIds },
  };
}

const UNCHANGED_COLUMNS = [
  'id',
  'email',
  'locale',
  'signup',
  'password_scheme',
  'email_verified_at',
  'is_contested',
  'created_at',
  'last_login_at',
];

/** The accounts with these ids, newest first, as they would be after the change. */
export async function findAsChanged(
  executor: Executor,
  accountIds: readonly string[],
  change: AccountChange,
): Promise<ManagedAccount[]> {
  const changed = Object.entries(CHANGED_COLUMNS).map(([column, expression]) => `${expression} as ${column}`);
  return await query<ManagedAccount>(
    executor,
    `select ${MANAGED_COLUMNS}
     from (
       select ${[...UNCHANGED_COLUMNS, ...changed].join(', ')}
       from account
       where id = any(cast(:accountIds as uuid[]))
     ) account
     order by id desc`,
    { accountIds, ...changeBindings(change) },
  );
}
