import type { ContentKind } from './content-definitions.ts';
import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { notEnded } from './not-ended.ts';

/** How an account is related to content: it owns it, has access to it, or is invited to it. */
export const CONTENT_RELATIONS = ['Access', 'Owner', 'Pending'] as const;
export type ContentRelation = (typeof CONTENT_RELATIONS)[number];

/** Content that an account is related to. */
export interface AccountContent {
  id: string;
  name: string;
  kind: ContentKind;
  relation: ContentRelation;
  since: Date;
  /** The account or static token that gave the access or invitation; `null` if there is none, or it is unknown. */
  by: string | null;
  /** When the access ends that the account has or is invited to; `null`: never. */
  expiresAt: Date | null;
}

const RELATED = `
  select id, 'Owner' as relation, created_at as since, cast(null as uuid) as by,
    cast(null as timestamptz) as expires_at
  from content_definition where owner_id = :accountId
  union all
  select content_definition_id, 'Access', granted_at, granted_by, expires_at
  from content_access where account_id = :accountId and ${notEnded('expires_at')}
  union all
  select content_definition_id, 'Pending', invited_at, invited_by, access_expires_at
  from invitation where account_id = :accountId and accepted_at is null and deleted_at is null and ${notEnded('access_expires_at')}`;

/** Up to `max` of an account's content, newest first, after `before`; the link of an invitation may have expired. */
export async function findNewest(
  executor: Executor,
  accountId: string,
  { before, max }: { before: { id: string; relation: string } | undefined; max: number },
): Promise<AccountContent[]> {
  return await query<AccountContent>(
    executor,
    `select c.id, c.name, c.kind, r.relation, r.since, r.by, r.expires_at as "expiresAt"
     from (${RELATED}) r
     join content_definition c using (id)
     ${before === undefined ? '' : 'where (c.id, r.relation) < (cast(:id as uuid), :relation)'}
     order by c.id desc, r.relation desc
     limit :max`,
    { accountId, id: before?.id, relation: before?.relation, max },
  );
}

/** All of an account's content, for counting. */
export function rowsOf(accountId: string): CountableRows {
  return { sql: `select 1 from (${RELATED}) r`, bindings: { accountId } };
}
