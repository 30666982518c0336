import { disabledNow } from '../account/accounts.ts';
import { query, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';
import { notEnded, REPLACING_ENDED, type EndedAccess } from './content-access.ts';

/** Neither accepted nor deleted; its link may have expired. */
const IS_PENDING = 'accepted_at is null and deleted_at is null';

/** A pending invitation whose inviter may still invite; only such invitations can be accepted. */
export const IS_OPEN = `
  i.accepted_at is null and i.deleted_at is null
  and (i.invited_by is null
    or exists (
      select 1 from account inviter
      where inviter.id = i.invited_by and not ${disabledNow('inviter')} and ${notEnded('inviter.expires_at')}))`;

/** An invitation whose link is still valid. A link expires no later than the access that it gives. */
const USABLE = `${IS_OPEN} and i.expires_at > now()`;

/** When access ends after a repeated invitation: as given now, else as before if that time is still to come. */
const RENEWED_END = `
  case
    when :keepsEnd then case when invitation.access_expires_at > now() then invitation.access_expires_at end
    else excluded.access_expires_at
  end`;

/**
 * A pending invitation gets the new token, which voids its earlier link; its access ends as before if `accessExpiresAt`
 * is `undefined`. Returns when link and access expire.
 */
export async function replace(
  tx: Transaction,
  invitation: {
    id: string;
    accountId: string;
    contentDefinitionId: string;
    tokenHash: Buffer;
    invitedBy: string | undefined;
    lifetimeSeconds: number;
    mailEventId: string | undefined;
    accessExpiresAt?: Date | null | undefined;
  },
) {
  const sql = `insert into invitation (
      id, account_id, content_definition_id, token_hash, invited_by, expires_at, mail_event_id, invited_email,
      access_expires_at)
    values (
      :id, :accountId, :contentDefinitionId, :tokenHash, :invitedBy,
      least(now() + make_interval(secs => :lifetimeSeconds), cast(:accessExpiresAt as timestamptz)), :mailEventId,
      (select email from account where id = :accountId), :accessExpiresAt)
    on conflict (account_id, content_definition_id) where accepted_at is null and deleted_at is null do update
    set token_hash = excluded.token_hash, invited_by = excluded.invited_by, invited_at = now(),
      expires_at = least(now() + make_interval(secs => :lifetimeSeconds), ${RENEWED_END}),
      mail_event_id = excluded.mail_event_id, invited_email = excluded.invited_email,
      access_expires_at = ${RENEWED_END}
    returning id, expires_at as "expiresAt", access_expires_at as "accessExpiresAt"`;
  return await query.only<Link>(tx, sql, {
    ...invitation,
    accessExpiresAt: invitation.accessExpiresAt,
    keepsEnd: invitation.accessExpiresAt === undefined,
  });
}

interface Link {
  id: string;
  expiresAt: Date;
  accessExpiresAt: Date | null;
}

/** Changes when the access of a pending invitation ends (null: never); its link remains valid. */
export const changeAccessEnd = txStatement.run<{
  accountId: string;
  contentDefinitionId: string;
  accessExpiresAt: Date | null;
}>(`update invitation
  set access_expires_at = :accessExpiresAt,
    expires_at = least(expires_at, cast(:accessExpiresAt as timestamptz))
  where account_id = :accountId and content_definition_id = :contentDefinitionId
    and ${IS_PENDING}`);

export const wouldGiveAccess = statement.any<[id: string]>(
  `select 1 from invitation where id = ? and ${notEnded('access_expires_at')}`,
);

/** Deletes pending invitations to access that has ended, and returns them. Lock the accounts first. */
export const deleteEnded = txStatement.rows<
  EndedAccess & { contentDefinitionId: string },
  [accountIds: readonly string[]]
>(`update invitation
  set deleted_at = now()
  where account_id = any(?::uuid[]) and access_expires_at <= now() and ${IS_PENDING}
  returning account_id as "accountId", content_definition_id as "contentDefinitionId",
    invited_email as "invitedEmail"`);

/** The accounts with a pending invitation to the content, even if its link has expired. */
export const findPending = statement.column<
  string,
  [contentDefinitionId: string, accountIds: readonly string[]]
>(`select account_id as "accountId" from invitation
  where content_definition_id = ? and account_id = any(?::uuid[]) and ${IS_PENDING}`);

/** The account and the content of an invitation, by its token, if it can still be accepted. */
export const findByToken = statement.row<
  { accountId: string; contentDefinitionId: string },
  [tokenHash: Buffer]
>(`select i.account_id as "accountId", i.content_definition_id as "contentDefinitionId" from invitation i
  join account a on a.id = i.account_id
  where i.token_hash = ? and ${USABLE}
    and a.signup = 'invitation' and not ${disabledNow('a')} and (a.expires_at is null or a.expires_at > now())`);

/** Uses up the token; `false` if it is used, expired or no longer valid. */
export const accept = txStatement.any<[tokenHash: Buffer, accountId: string]>(`update invitation i
  set accepted_at = now()
  where i.token_hash = ? and i.account_id = ? and ${USABLE}
  returning i.id`);

/** Accepts all acceptable invitations of an account that is now complete, and deletes its other pending invitations. */
export const acceptOthers = txStatement.run<[accountId: string]>(`update invitation i
  set accepted_at = case when ${USABLE} then now() end,
    deleted_at = case when ${USABLE} then null else now() end
  where i.account_id = ? and i.accepted_at is null and i.deleted_at is null`);

export const grantAccepted = txStatement.run<[accountId: string]>(`
  insert into content_access (content_definition_id, account_id, granted_by, invited_email, expires_at)
  select content_definition_id, account_id, invited_by, invited_email, access_expires_at
  from invitation
  where account_id = ? and accepted_at = now()
  ${REPLACING_ENDED}`);

export const deletePending = txStatement.rows<
  EndedAccess,
  [contentDefinitionId: string, accountIds: readonly string[]]
>(`update invitation
  set deleted_at = now()
  where content_definition_id = ? and account_id = any(?::uuid[]) and ${IS_PENDING}
  returning account_id as "accountId", invited_email as "invitedEmail"`);

export const findNewestPendingOf = statement.row<
  { invitedAt: Date; invitedBy: string | null },
  [accountId: string]
>(`select invited_at as "invitedAt", invited_by as "invitedBy" from invitation
  where account_id = ? and ${IS_PENDING} order by id desc limit 1`);

/** Deletes those of these invitations that are pending. Lock their accounts first. */
export const deletePendingByIds = txStatement.run<[ids: readonly string[]]>(
  `update invitation set deleted_at = now() where id = any(cast(? as uuid[])) and ${IS_PENDING}`,
);

/**
 * Replaces the link of an invitation that was not accepted; a deleted one is pending again. The link expires no later
 * than its access. Returns when both do; `undefined` if there is none. Lock its account first.
 */
export const renewLink = txStatement.row<
  Omit<Link, 'id'>,
  { id: string; tokenHash: Buffer; lifetimeSeconds: number; mailEventId: string }
>(`update invitation
  set token_hash = :tokenHash, expires_at = least(now() + make_interval(secs => :lifetimeSeconds), access_expires_at), mail_event_id = :mailEventId,
    deleted_at = null
  where id = :id and accepted_at is null
  returning expires_at as "expiresAt", access_expires_at as "accessExpiresAt"`);

export const isLinkAlive = statement.onlyValue<boolean, [mailEventId: string]>(
  `select ${linkIsValid('cast(? as uuid)')} as lives`,
);

/** `isLinkAlive` as an SQL condition, for an expression with the event's id. */
export function linkIsValid(mailEventId: string): string {
  return `exists (select 1 from invitation i where i.mail_event_id = ${mailEventId} and ${USABLE})`;
}

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

/** Counts what an account or token invites, all or none; the seconds to the next day if that is too many. */
export async function takeQuota(
  tx: Transaction,
  inviterId: string,
  options: { count: number; perDay: number },
) {
  const sql = `insert into inviter_quota as quota (inviter_id, sent) values (:inviterId, :count)
    on conflict (inviter_id) do update
    set
      sent = case when ${IS_OVER} then :count else quota.sent + :count end,
      window_started_at = case when ${IS_OVER} then now() else quota.window_started_at end
    where quota.sent + :count <= :perDay or ${IS_OVER}
    returning sent`;
  const rows = await query(tx, sql, { inviterId, ...options });
  return rows.length === 1 ? undefined : await secondsLeft(tx, inviterId);
}

const IS_OVER = "quota.window_started_at <= now() - interval '1 day'";

async function secondsLeft(tx: Transaction, inviterId: string): Promise<number> {
  const sql = `select extract(epoch from window_started_at + interval '1 day' - now())::float8 as seconds
    from inviter_quota
    where inviter_id = ?`;
  return (await query.value<number>(tx, sql, [inviterId])) ?? 0;
}
