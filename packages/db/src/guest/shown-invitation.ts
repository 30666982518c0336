import { disabledNow } from '../account/disabled-now.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { notEnded } from './not-ended.ts';

/** A pending invitation whose inviter may still invite; only such invitations can be accepted. */
export const IS_OPEN = `
  i.accepted_at is null and i.deleted_at is null
  and (i.invited_by is null
    or exists (
      select 1 from account inviter
      where inviter.id = i.invited_by and not ${disabledNow('inviter')} and ${notEnded('inviter.expires_at')}))`;

/** What has become of an invitation: `Expired`, if its link can be mailed again. */
type InvitationState = 'Open' | 'Used' | 'Expired' | 'Revoked';

/** An invitation as whoever has its link may see it. */
export interface ShownInvitation {
  state: InvitationState;
  /** The address that was invited; the account may have another one by now. */
  email: string;
  inviterName: string | null;
  /** Null if the invited has no access, and can get none with this invitation. */
  content: { name: string; kind: 'LiveChannel' | 'Recording' | 'Document' } | null;
}

/** The invitation with this token, whatever has become of it; `undefined` if no link has this token any more. */
export async function findShownInvitation(
  executor: Executor,
  tokenHash: Buffer,
): Promise<ShownInvitation | undefined> {
  const [row] = await query<ShownInvitation>(
    executor,
    `select state, email, "inviterName", case when state in ('Open', 'Expired') or "hasAccess" then content end as content
     from (
       select i.invited_email as email, inviter.display_name as "inviterName",
         json_build_object('name', c.name, 'kind', c.kind) as content,
         exists (
           select 1 from content_access access
           where access.account_id = i.account_id and access.content_definition_id = c.id
             and ${notEnded('access.expires_at')}) as "hasAccess",
         case
           when i.accepted_at is not null then 'Used'
           when not (${IS_OPEN} and ${notEnded('i.access_expires_at')}) then 'Revoked'
           when a.signup <> 'invitation' or ${disabledNow('a')} or not ${notEnded('a.expires_at')} then 'Revoked'
           when i.expires_at <= now() then 'Expired'
           else 'Open'
         end as state
       from invitation i
       join account a on a.id = i.account_id
       join content_definition c on c.id = i.content_definition_id
       left join account inviter on inviter.id = i.invited_by
       where i.token_hash = ?) found`,
    [tokenHash],
  );
  return row;
}
