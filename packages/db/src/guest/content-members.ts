import type { CountableRows } from '../search/list.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { LAST_ID } from '../postgres/ids.ts';
import { notEnded } from './content-access.ts';

export type Relation = 'Owner' | 'Access' | 'Pending';

export interface ContentMember {
  userId: string;
  email: string;
  displayName: string | null;
  isGuest: boolean;
  relation: Relation;
  invitedEmail: string | null;
  /** When access was given or the invitation was sent; for an owner, when the content was created. */
  since: Date;
  /** The account that gave the access or invitation; null if it was a static API token, or is unknown. */
  by: string | null;
  /** When the access ends that the account has or is invited to; null: never. */
  expiresAt: Date | null;
  invitationId: string | null;
  linkExpiresAt: Date | null;
}

/** The member after which a page continues. Members are ordered by account, newest first, then by relation. */
export interface MemberKey {
  userId: string;
  relation: Relation;
}

export async function findMembers(
  executor: Executor,
  contentDefinitionId: string,
  options: { relation: Relation | undefined; after: MemberKey | undefined; max: number },
) {
  const { relation, after, max } = options;
  return await query<ContentMember>(
    executor,
    `select a.id as "userId", a.email, a.display_name as "displayName", a.role = 'Guest' as "isGuest",
       m.relation, m.invited_email as "invitedEmail", m.since, m.by, m.expires_at as "expiresAt", m.invitation_id as "invitationId",
       m.link_expires_at as "linkExpiresAt"
     from (${membersOf(relation)}) m
     join account a on a.id = m.account_id
     where (m.account_id, m.relation) < (cast(:userId as uuid), cast(:relation as text))
     order by m.account_id desc, m.relation desc
     limit :max`,
    { contentDefinitionId, userId: after?.userId ?? LAST_ID, relation: after?.relation ?? 'z', max },
  );
}

export function rowsOf(contentDefinitionId: string, relation: Relation | undefined): CountableRows {
  return { sql: `select 1 from (${membersOf(relation)}) m`, bindings: { contentDefinitionId } };
}

/** Counts the members of each content, up to `max` + 1 (which means more than `max`), so that lists stay fast. */
export async function countMembers(executor: Executor, contentDefinitionIds: readonly string[], max: number) {
  const counted = (relation: Relation) =>
    `(select count(*)::int from (${MEMBERS[relation].replaceAll(':contentDefinitionId', 'content.id')} limit :enough) m)`;
  const sql = `select content.id, ${counted('Access')} as access, ${counted('Pending')} as pending
    from unnest(cast(:contentDefinitionIds as uuid[])) content (id)`;
  return await query<{ id: string } & Record<'access' | 'pending', number>>(executor, sql, {
    contentDefinitionIds,
    enough: max + 1,
  });
}

function membersOf(relation: Relation | undefined): string {
  const wanted = relation === undefined ? (['Owner', 'Access', 'Pending'] as const) : [relation];
  return wanted.map((one) => MEMBERS[one]).join(' union all ');
}

const MEMBERS: Record<Relation, string> = {
  Owner: `
    select owner_id as account_id, 'Owner' as relation, null::text as invited_email, created_at as since,
      null::uuid as by, null::timestamptz as expires_at, null::uuid as invitation_id,
      null::timestamptz as link_expires_at
    from content_definition
    where id = :contentDefinitionId and owner_id is not null`,
  Access: `
    select account_id, 'Access' as relation, invited_email, granted_at as since, granted_by as by,
      expires_at, null::uuid as invitation_id, null::timestamptz as link_expires_at
    from content_access
    where content_definition_id = :contentDefinitionId and ${notEnded('expires_at')}`,
  Pending: `
    select account_id, 'Pending' as relation, invited_email, invited_at as since, invited_by as by,
      access_expires_at as expires_at, id as invitation_id, expires_at as link_expires_at
    from invitation
    where content_definition_id = :contentDefinitionId and accepted_at is null and deleted_at is null
      and ${notEnded('access_expires_at')}`,
};
