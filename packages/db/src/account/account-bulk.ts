import { CHANGED_COLUMNS, changeBindings, MANAGED_COLUMNS } from './account-admin.ts';
import type { AccountChange, ManagedAccount } from './account-admin.ts';
import { conditionsOf, type AccountFilter } from './account-filter.ts';
import { allOf } from './account-search.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/**
 * Locks those of the accounts that fit still, until the transaction ends, in the order of their emails' keys: whoever
 * locks several does so in that order, so that no two wait for each other.
 */
export async function lockFitting(
  tx: Transaction,
  accountIds: readonly string[],
  filter: AccountFilter,
): Promise<ManagedAccount[]> {
  const { sql, bindings } = fitting(accountIds, filter);
  return await query<ManagedAccount>(tx, `${sql} order by email_key for update`, bindings);
}

/** As `lockFitting`, without keeping them. */
export async function findFitting(
  executor: Executor,
  accountIds: readonly string[],
  filter: AccountFilter,
): Promise<ManagedAccount[]> {
  const { sql, bindings } = fitting(accountIds, filter);
  return await query<ManagedAccount>(executor, sql, bindings);
}

/** What a search by identifier has found fits it by being found. */
function fitting(accountIds: readonly string[], filter: AccountFilter) {
  const { bindings, ...conditions } = conditionsOf(filter);
  return {
    sql: `select ${MANAGED_COLUMNS} from account where id = any(cast(:accountIds as uuid[])) and ${allOf(conditions)}`,
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
