import { query, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

/** A condition: access, or an invitation to it, has not ended. Ended access has no effect; it is removed later. */
export function notEnded(end: string): string {
  return `(${end} is null or ${end} > now())`;
}

/** Gives access to content, recorded with the current email. Access that has not ended stays as it is. */
export async function grant(
  tx: Transaction,
  access: {
    contentDefinitionId: string;
    accountId: string;
    grantedBy: string | undefined;
    expiresAt?: Date | null | undefined;
  },
): Promise<void> {
  const sql = `insert into content_access (content_definition_id, account_id, granted_by, invited_email, expires_at)
    select :contentDefinitionId, id, :grantedBy, email, :expiresAt
    from account
    where id = :accountId
    ${REPLACING_ENDED}`;
  await query(tx, sql, { expiresAt: null, ...access });
}

/** For inserts: existing access that has ended, but was not removed yet, starts again. */
export const REPLACING_ENDED = `
  on conflict (content_definition_id, account_id) do update
  set granted_by = excluded.granted_by, granted_at = now(), invited_email = excluded.invited_email,
    expires_at = excluded.expires_at
  where content_access.expires_at <= now()`;

/** Changes when access ends (null: never); `false` if there is none, or nothing changes. */
export const changeEnd = txStatement.any<{
  contentDefinitionId: string;
  accountId: string;
  expiresAt: Date | null;
}>(`update content_access
  set expires_at = :expiresAt
  where content_definition_id = :contentDefinitionId and account_id = :accountId and ${notEnded('expires_at')}
    and expires_at is distinct from cast(:expiresAt as timestamptz)
  returning account_id`);

/** Up to `max` accounts with access that has ended, or with a pending invitation to access that would have ended. */
export const findWithEnded = statement.column<string, { max: number }>(`
  select distinct account_id as "accountId"
  from (
    (select account_id from content_access where expires_at <= now() order by expires_at limit :max)
    union all
    (select account_id from invitation
     where access_expires_at <= now() and accepted_at is null and deleted_at is null
     order by access_expires_at limit :max)
  ) ended
  limit :max`);

/** Lock the accounts first. */
export const removeEnded = txStatement.rows<
  EndedAccess & { contentDefinitionId: string },
  [accountIds: readonly string[]]
>(`delete from content_access
  where account_id = any(?::uuid[]) and expires_at <= now()
  returning account_id as "accountId", content_definition_id as "contentDefinitionId",
    invited_email as "invitedEmail"`);

export interface EndedAccess {
  accountId: string;
  invitedEmail: string;
}

export const revoke = txStatement.rows<
  EndedAccess,
  [contentDefinitionId: string, accountIds: readonly string[]]
>(`delete from content_access
  where content_definition_id = ? and account_id = any(?::uuid[])
  returning account_id as "accountId", invited_email as "invitedEmail"`);

/** The accounts with one of the emails now, and those that were given access with one. */
export const findByAccessEmails = statement.column<
  string,
  { contentDefinitionId: string; emailKeys: readonly string[] }
>(`select id as "accountId" from account where email_key = any(:emailKeys::text[])
  union
  select account_id from content_access
  where content_definition_id = :contentDefinitionId and lower(invited_email) = any(:emailKeys::text[])
  union
  select account_id from invitation
  where content_definition_id = :contentDefinitionId and lower(invited_email) = any(:emailKeys::text[])
    and accepted_at is null and deleted_at is null`);

/** Returns those of these accounts that have access to the content; owning it does not count as access. */
export const findHolders = statement.column<
  string,
  [contentDefinitionId: string, accountIds: readonly string[]]
>(`select account_id as "accountId" from content_access
  where content_definition_id = ? and account_id = any(?::uuid[]) and ${notEnded('expires_at')}`);

export const findHoldersOfAny = statement.column<string, [accountIds: readonly string[]]>(`
  select distinct account_id as "accountId" from content_access
  where account_id = any(?::uuid[]) and ${notEnded('expires_at')}`);

export const findInvolvedIds = statement.column<string, { id: string }>(`
  select account_id as "accountId" from content_access where content_definition_id = :id
  union
  select account_id from invitation
  where content_definition_id = :id and accepted_at is null and deleted_at is null`);
