import { notEnded } from './content-access.ts';
import { statement } from '../postgres/statements.ts';

/** An invitation that was deleted, or is about to be restored. */
export interface DeletedInvitation {
  id: string;
  accountId: string;
  email: string;
  contentDefinitionId: string;
  /** Null if a static API token invited. */
  invitedBy: string | null;
  invitedAt: Date;
  expiresAt: Date;
  deletedAt: Date | null;
}

const COLUMNS = `
  i.id, i.account_id as "accountId", a.email, i.content_definition_id as "contentDefinitionId",
  i.invited_by as "invitedBy", i.invited_at as "invitedAt"`;

/** Every pending invitation of an account, newest first, as it is once this transaction has deleted it. */
export const findDeletable = statement.rows<DeletedInvitation, [accountId: string]>(`
  select ${COLUMNS}, i.expires_at as "expiresAt", now() as "deletedAt"
  from invitation i
  join account a on a.id = i.account_id
  where i.account_id = ? and i.accepted_at is null and i.deleted_at is null
  order by i.id desc`);

/**
 * Up to `max` deleted invitations of an account that could be restored, newest first, as they are once this transaction
 * has renewed their links: for each content the newest one, unless another is pending or the account has access already.
 */
export const findRestorable = statement.rows<
  DeletedInvitation,
  { accountId: string; lifetimeSeconds: number; max: number }
>(`select ${COLUMNS}, null as "deletedAt",
    least(now() + make_interval(secs => :lifetimeSeconds), i.access_expires_at) as "expiresAt"
  from (
    select distinct on (content_definition_id) *
    from invitation
    where account_id = :accountId and accepted_at is null and deleted_at is not null
    order by content_definition_id, deleted_at desc, id desc
  ) i
  join account a on a.id = i.account_id
  where ${notEnded('i.access_expires_at')}
    and not exists (
      select from invitation other
      where other.account_id = :accountId and other.content_definition_id = i.content_definition_id
        and other.accepted_at is null and other.deleted_at is null)
    and not exists (
      select from content_access access
      where access.account_id = :accountId and access.content_definition_id = i.content_definition_id
        and ${notEnded('access.expires_at')})
  order by i.id desc
  limit :max`);
