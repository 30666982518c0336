import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** Gives an account access to content, by its present email; existing access stays as it is. */
export async function grant(
  tx: Transaction,
  access: { contentDefinitionId: string; accountId: string; grantedBy: string | undefined },
): Promise<void> {
  await query(
    tx,
    `insert into content_access (content_definition_id, account_id, granted_by, invited_email)
     select ?, id, ?, email
     from account
     where id = ?
     on conflict do nothing`,
    [access.contentDefinitionId, access.grantedBy ?? null, access.accountId],
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
 * The accounts meant by content and emails: those that have one of the emails, and those that were given access by
 * one, whatever their present email.
 */
export async function findMeant(
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
     where content_definition_id = ? and account_id = any(?::uuid[])`,
    [contentDefinitionId, accountIds],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Which of these accounts have access to any content. */
export async function findHoldersOfAny(executor: Executor, accountIds: readonly string[]): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    executor,
    `select distinct account_id as "accountId" from content_access where account_id = any(?::uuid[])`,
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
