import { query, type Executor } from '../postgres/connect.ts';
import { notEnded } from './not-ended.ts';

/** An account with access to a live channel, once for each active session, or with an invitation to it. */
export interface ChannelMember {
  userId: string;
  email: string;
  displayName: string | null;
  isGuest: boolean;
  /** An active session; its cached copy shows whether it is in use. */
  sessionId: string | null;
  /** When a guest was last seen, according to Postgres. */
  lastSeenAt: Date | null;
  /** When a pending invitation was sent; `null` for those who have access. */
  invitedAt: Date | null;
}

/** All accounts with access to the content, including its owner, and its pending invitations, by name. */
export async function find(executor: Executor, contentDefinitionId: string): Promise<ChannelMember[]> {
  return await query<ChannelMember>(
    executor,
    `with holder as (
       select owner_id as account_id from content_definition where id = :id and owner_id is not null
       union
       select account_id from content_access
       where content_definition_id = :id and ${notEnded('expires_at')}
     ),
     member as (
       select
         a.id, a.email, a.display_name, a.role = 'Guest' as is_guest, active.id as session_id,
         case when a.role = 'Guest' then (
           select latest.last_seen_at from user_session latest
           where latest.account_id = a.id
           order by latest.created_at desc
           limit 1
         ) end as last_seen_at,
         null::timestamptz as invited_at
       from holder
       join account a on a.id = holder.account_id
       left join user_session active on active.account_id = a.id and active.ended_at is null
       union all
       select a.id, a.email, null, true, null, null, i.invited_at
       from invitation i
       join account a on a.id = i.account_id
       where i.content_definition_id = :id
         and i.accepted_at is null and i.deleted_at is null and i.expires_at > now()
     )
     select id as "userId", email, display_name as "displayName", is_guest as "isGuest",
       session_id as "sessionId", last_seen_at as "lastSeenAt", invited_at as "invitedAt"
     from member
     order by lower(coalesce(display_name, email)), id`,
    { id: contentDefinitionId },
  );
}
