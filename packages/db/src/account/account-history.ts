import { query, type Executor } from '../postgres/connect.ts';

/** The latest change of an account's field according to the audit: its value since then, and who set it. */
export interface FieldChange {
  field: string;
  value: unknown;
  at: Date;
  /** An account or a static token; `null` for the installation itself. */
  by: string | null;
}

/** How many audit entries are searched. Older entries hardly matter for the account's current state. */
const ENTRIES_MAX = 1000;

/** When an administrator last set these fields of an account, according to its latest audit entries. */
export async function findFieldChanges(
  executor: Executor,
  accountId: string,
  fields: readonly string[],
): Promise<FieldChange[]> {
  return await query<FieldChange>(
    executor,
    `with recent as materialized (
       select id, at, actor_id, action, details
       from audit
       where target_id = :accountId
       order by id desc
       limit ${ENTRIES_MAX}
     )
     select distinct on (field) field, details -> field as value, at, actor_id as by
     from recent
     cross join unnest(cast(:fields as text[])) field
     where action in ('account.changed', 'account.created') and jsonb_exists(details, field)
     order by field, id desc`,
    { accountId, fields },
  );
}
