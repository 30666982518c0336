import { notEnded } from './not-ended.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

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
  i.invited_by as "invitedBy", i.invited_at as "invitedAt", i.expires_at as "expiresAt",
  i.deleted_at as "deletedAt"`;

/** Deletes every pending invitation of an account, newest first. Lock the account first. */
export async function deletePendingOf(tx: Transaction, accountId: string): Promise<DeletedInvitation[]> {
  return await query<DeletedInvitation>(
    tx,
    `with i as (
       update invitation
       set deleted_at = now()
       where account_id = ? and accepted_at is null and deleted_at is null
       returning id, account_id, content_definition_id, invited_by, invited_at, expires_at, deleted_at
     )
     select ${COLUMNS} from i join account a on a.id = i.account_id order by i.id desc`,
    [accountId],
  );
}

/**
 * Up to `max` deleted invitations of an account that could be restored, newest first: for each content the newest one,
 * unless another is pending or the account has access already.
 */
export async function findRestorable(
  executor: Executor,
  accountId: string,
  max: number,
): Promise<DeletedInvitation[]> {
  return await query<DeletedInvitation>(
    executor,
    `select ${COLUMNS}
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
     limit :max`,
    { accountId, max },
  );
}
