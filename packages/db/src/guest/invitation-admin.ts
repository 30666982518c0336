import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import type { DeliveryStatus } from '../outbox/delivery-table.ts';
import { ordered } from '../search/filters.ts';
import { defineList } from '../search/list.ts';
import { allOf } from '../search/newest-matches.ts';

/** A pending invitation as administrators see it; its link may have expired. */
export interface PendingInvitation {
  id: string;
  accountId: string;
  /** The email of the invited account. */
  email: string;
  contentDefinitionId: string;
  contentName: string;
  /** Null if a static API token invited. */
  invitedBy: string | null;
  invitedAt: Date;
  expiresAt: Date;
  /** When the access that it gives ends; null: never. */
  accessExpiresAt: Date | null;
  /** The status of the mail with the link; null if no mail was sent, or its record has been deleted. */
  mailStatus: DeliveryStatus | null;
}

const IS_PENDING = 'i.accepted_at is null and i.deleted_at is null';

/** An invitation in any state. */
export interface InvitationRecord extends PendingInvitation {
  acceptedAt: Date | null;
  deletedAt: Date | null;
}

/** A mail that the mail worker has not recorded yet is still in the outbox. */
const COLUMNS = `
  i.id, i.account_id as "accountId", a.email, i.content_definition_id as "contentDefinitionId",
    c.name as "contentName", i.invited_by as "invitedBy", i.invited_at as "invitedAt",
    i.expires_at as "expiresAt", i.access_expires_at as "accessExpiresAt",
    coalesce(
      (select mail.status from mail_delivery mail where mail.id = i.mail_event_id),
      (select 'Pending' from outbox where outbox.id = i.mail_event_id)) as "mailStatus"`;
const FROM = `
  from invitation i
  join account a on a.id = i.account_id
  join content_definition c on c.id = i.content_definition_id`;
const SELECT = `select ${COLUMNS} ${FROM}`;

/** Which pending invitations are requested. */
export interface InvitationFilter {
  id?: string | undefined;
  contentDefinitionId?: string | undefined;
  emailKey?: string | undefined;
  /** The account that sent the invitation. */
  invitedBy?: string | undefined;
  /** Whether the link has expired. */
  isExpired?: boolean | undefined;
}

const PENDING = defineList<InvitationFilter, PendingInvitation>({
  table: 'invitation',
  alias: 'i',
  select: SELECT,
  always: IS_PENDING,
  filters: {
    id: ordered('i.id = :id'),
    contentDefinitionId: ordered('i.content_definition_id = :contentDefinitionId'),
    emailKey: ordered('i.account_id = (select id from account where email_key = :emailKey)'),
    invitedBy: ordered('i.invited_by = :invitedBy'),
    // Same wording as in the index of the ends.
    isExpired: (isExpired) => ({
      sieve: [`i.expires_at ${isExpired ? '<=' : '>'} now()`],
      isIndexed: true,
    }),
  },
  sieved: ['expires_at'],
});

/** The list of pending invitations. */
export const { findNewest: findPendingPage, rowsOf } = PENDING;

/** Up to `max` pending invitations, newest first. */
export async function findNewestPending(
  executor: Executor,
  filter: InvitationFilter,
  max: number,
): Promise<PendingInvitation[]> {
  const { bindings, ...conditions } = PENDING.queryOf(filter);
  const sql = `${SELECT} where ${allOf(conditions)} order by i.id desc limit :max`;
  return await query<PendingInvitation>(executor, sql, { ...bindings, max });
}

/** The newest pending invitation of an account, or `undefined`. */
export async function findNewestPendingOf(
  executor: Executor,
  accountId: string,
): Promise<PendingInvitation | undefined> {
  const sql = `${SELECT} where i.account_id = ? and ${IS_PENDING} order by i.id desc limit 1`;
  const [row] = await query<PendingInvitation>(executor, sql, [accountId]);
  return row;
}

/** An invitation that is pending, or was accepted or deleted. */
export async function findById(executor: Executor, id: string): Promise<InvitationRecord | undefined> {
  const [row] = await query<InvitationRecord>(
    executor,
    `select ${COLUMNS}, i.accepted_at as "acceptedAt", i.deleted_at as "deletedAt" ${FROM} where i.id = ?`,
    [id],
  );
  return row;
}

/** Returns those of these invitations that are pending, newest first. */
export async function findPendingByIds(
  executor: Executor,
  ids: readonly string[],
): Promise<PendingInvitation[]> {
  return await query<PendingInvitation>(
    executor,
    `${SELECT} where i.id = any(cast(? as uuid[])) and ${IS_PENDING} order by i.id desc`,
    [ids],
  );
}

/** Deletes those of these invitations that are pending. Lock their accounts first. */
export async function deletePendingByIds(tx: Transaction, ids: readonly string[]): Promise<void> {
  await query(
    tx,
    `update invitation i set deleted_at = now() where i.id = any(cast(? as uuid[])) and ${IS_PENDING}`,
    [ids],
  );
}

/**
 * Replaces the link of an invitation that was not accepted; `mailEventId` mails the new link. A deleted invitation
 * becomes pending again. The link expires no later than the access that it gives. Returns when both expire, by the
 * database’s clock; `undefined` if there is no such invitation. Lock its account first.
 */
export async function renewLink(
  tx: Transaction,
  link: { id: string; tokenHash: Buffer; lifetimeSeconds: number; mailEventId: string },
): Promise<{ expiresAt: Date; accessExpiresAt: Date | null } | undefined> {
  const [row] = await query<{ expiresAt: Date; accessExpiresAt: Date | null }>(
    tx,
    `update invitation
     set token_hash = ?, expires_at = least(now() + make_interval(secs => ?), access_expires_at), mail_event_id = ?,
       deleted_at = null
     where id = ? and accepted_at is null
     returning expires_at as "expiresAt", access_expires_at as "accessExpiresAt"`,
    [link.tokenHash, link.lifetimeSeconds, link.mailEventId, link.id],
  );
  return row;
}
