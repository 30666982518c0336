import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { lasting } from './lasting.ts';

/** Gives an account access to content, by its present email and for good unless it has an end; lasting access stays as it is. */
export async function grant(
  tx: Transaction,
  access: {
    contentDefinitionId: string;
    accountId: string;
    grantedBy: string | undefined;
    expiresAt?: Date | null | undefined;
  },
): Promise<void> {
  await query(
    tx,
    `insert into content_access (content_definition_id, account_id, granted_by, invited_email, expires_at)
     select ?, id, ?, email, ?
     from account
     where id = ?
     ${REPLACING_ENDED}`,
    [access.contentDefinitionId, access.grantedBy ?? null, access.expiresAt ?? null, access.accountId],
  );
}

/** Inserting access that already exists: access that has ended, and was not removed yet, starts over. */
export const REPLACING_ENDED = `
  on conflict (content_definition_id, account_id) do update
  set granted_by = excluded.granted_by, granted_at = now(), invited_email = excluded.invited_email,
    expires_at = excluded.expires_at
  where content_access.expires_at <= now()`;

/** Gives lasting access another end, or none; `false` when there is no such access, or that is its end already. */
export async function changeEnd(
  tx: Transaction,
  access: { contentDefinitionId: string; accountId: string; expiresAt: Date | null },
): Promise<boolean> {
  const rows = await query(
    tx,
    `update content_access
     set expires_at = :expiresAt
     where content_definition_id = :contentDefinitionId and account_id = :accountId and ${lasting('expires_at')}
       and expires_at is distinct from cast(:expiresAt as timestamptz)
     returning account_id`,
    access,
  );
  return rows.length === 1;
}

/** Up to `max` accounts with access, or a pending invitation to it, whose end has come. */
export async function findWithEnded(executor: Executor, max: number): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    executor,
    `select distinct account_id as "accountId"
     from (
       (select account_id from content_access where expires_at <= now() order by expires_at limit :max)
       union all
       (select account_id from invitation
        where access_expires_at <= now() and accepted_at is null and deleted_at is null
        order by access_expires_at limit :max)
     ) ended
     limit :max`,
    { max },
  );
  return rows.map(({ accountId }) => accountId);
}

/** Removes these accounts’ access whose end has come; returns to what. Lock the accounts first. */
export async function removeEnded(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<(EndedAccess & { contentDefinitionId: string })[]> {
  return await query<EndedAccess & { contentDefinitionId: string }>(
    tx,
    `delete from content_access
     where account_id = any(?::uuid[]) and expires_at <= now()
     returning account_id as "accountId", content_definition_id as "contentDefinitionId",
       invited_email as "invitedEmail"`,
    [accountIds],
  );
}

/** Whose access or invitation ended, and the email by which it was given; null where that is not known. */
export interface EndedAccess {
  accountId: string;
  invitedEmail: string | null;
}

/** Removes accounts’ access to content; returns those that had it. */
export async function revoke(
  tx: Transaction,
  contentDefinitionId: string,
  accountIds: readonly string[],
): Promise<EndedAccess[]> {
  return await query<EndedAccess>(
    tx,
    `delete from content_access
     where content_definition_id = ? and account_id = any(?::uuid[])
     returning account_id as "accountId", invited_email as "invitedEmail"`,
    [contentDefinitionId, accountIds],
  );
}

/**
 * The accounts named by content and emails: those that have one of the emails now, and those that were given access
 * by one.
 */
export async function findByAccessEmails(
  executor: Executor,
  contentDefinitionId: string,
  emailKeys: readonly string[],
): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    executor,
    `select id as "accountId" from account where email_key = any(:keys::text[])
     union
     select account_id from content_access
     where content_definition_id = :id and lower(invited_email) = any(:keys::text[])
     union
     select account_id from invitation
     where content_definition_id = :id and lower(invited_email) = any(:keys::text[])
       and accepted_at is null and deleted_at is null`,
    { id: contentDefinitionId, keys: emailKeys },
  );
  return rows.map(({ accountId }) => accountId);
}

/** The accounts with access to the content. Its owner has none of this kind. */
export async function findHolders(
  executor: Executor,
  contentDefinitionId: string,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    executor,
    `select account_id as "accountId" from content_access
     where content_definition_id = ? and account_id = any(?::uuid[]) and ${lasting('expires_at')}`,
    [contentDefinitionId, accountIds],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Which of these accounts have access to any content. */
export async function findHoldersOfAny(executor: Executor, accountIds: readonly string[]): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    executor,
    `select distinct account_id as "accountId" from content_access
     where account_id = any(?::uuid[]) and ${lasting('expires_at')}`,
    [accountIds],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Every account with access or an invitation to the content. */
export async function findConcerned(executor: Executor, contentDefinitionId: string): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    executor,
    `select account_id as "accountId" from content_access where content_definition_id = :id
     union
     select account_id from invitation
     where content_definition_id = :id and accepted_at is null and deleted_at is null`,
    { id: contentDefinitionId },
  );
  return rows.map(({ accountId }) => accountId);
}
