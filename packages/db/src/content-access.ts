import { query, type Executor } from './connect.ts';

/** Gives accounts access to content; those that have it keep what they have. */
export async function grant(
  tx: Executor,
  access: { contentDefinitionId: string; accountId: string; grantedBy: string | undefined },
): Promise<void> {
  await query(
    tx,
    `insert into content_access (content_definition_id, account_id, granted_by)
     values (?, ?, ?)
     on conflict do nothing`,
    [access.contentDefinitionId, access.accountId, access.grantedBy ?? null],
  );
}

/** Takes access to content from accounts; returns those that had it. */
export async function revoke(
  tx: Executor,
  contentDefinitionId: string,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    tx,
    `delete from content_access
     where content_definition_id = ? and account_id = any(?::uuid[])
     returning account_id as "accountId"`,
    [contentDefinitionId, accountIds],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Which of these accounts have access to the content. Its owner has none of this kind. */
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

/** Every account that has access to the content or was invited to it. */
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
