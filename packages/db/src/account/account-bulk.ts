import { CHANGED_COLUMNS, changeBindings, findMany, MANAGED_COLUMNS } from './account-admin.ts';
import type { AccountChange, ManagedAccount } from './account-admin.ts';
import { conditionsOf, type AccountFilter } from './account-filter.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { allOf } from '../search/newest-matches.ts';

/**
 * Locks those of the accounts that still match, until the transaction ends, in the order of their email keys:
 * everyone who locks several accounts uses this order, which prevents deadlocks. They are read then, newest first, as what
 * this waited for may be in other tables.
 */
export async function lockFitting(
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

/** As `lockFitting`, without keeping them. */
export async function findFitting(
  executor: Executor,
  accountIds: readonly string[],
  filter: AccountFilter,
): Promise<ManagedAccount[]> {
  const { sql, bindings } = fitting(MANAGED_COLUMNS, accountIds, filter);
  return await query<ManagedAccount>(executor, sql, bindings);
}

/** What a search by identifier has found fits it by being found. */
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

/** The accounts of these ids, newest first, as a change would leave them. */
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
