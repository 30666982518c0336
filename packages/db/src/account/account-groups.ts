import { statement, txStatement } from '../postgres/statements.ts';

/** The source of the labels that administrators give. Others are ids of identity providers, which have no capitals. */
export const ADMINISTRATOR = 'Administrator';

export interface GroupSource {
  label: string;
  source: string;
}

export const findOfSource = statement.column<string, [accountId: string, source: string]>(
  'select label from account_group where account_id = ? and source = ?',
);

/** The labels of one source, for locked accounts; a trigger sets `account.groups` to those of all sources. */
export const replace = txStatement.run<{
  accountIds: readonly string[];
  source: string;
  labels: readonly string[];
}>(`with removed as (
    delete from account_group
    where account_id = any(cast(:accountIds as uuid[]))
      and source = :source
      and label <> all(cast(:labels as text[]))
  )
  insert into account_group (account_id, label, source)
  select account_id, label, :source
  from unnest(cast(:accountIds as uuid[])) as account_id
  cross join unnest(cast(:labels as text[])) as label
  on conflict do nothing`);
