import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** The source of the labels that administrators give. Others are ids of identity providers, which have no capitals. */
export const ADMINISTRATOR = 'Administrator';

export interface GroupSource {
  label: string;
  source: string;
}

export async function findOfSource(executor: Executor, accountId: string, source: string) {
  const sql = 'select label from account_group where account_id = ? and source = ?';
  return await query.column<string>(executor, sql, [accountId, source]);
}

/**
 * Makes these the labels of one source, for accounts that the transaction has locked. A trigger then sets
 * `account.groups` to the labels of all sources.
 */
export async function replace(
  tx: Transaction,
  accountIds: readonly string[],
  source: string,
  labels: readonly string[],
): Promise<void> {
  const sql = `with removed as (
      delete from account_group
      where account_id = any(cast(:accountIds as uuid[]))
        and source = :source
        and label <> all(cast(:labels as text[]))
    )
    insert into account_group (account_id, label, source)
    select account_id, label, :source
    from unnest(cast(:accountIds as uuid[])) as account_id
    cross join unnest(cast(:labels as text[])) as label
    on conflict do nothing`;
  await query(tx, sql, { accountIds, source, labels });
}
