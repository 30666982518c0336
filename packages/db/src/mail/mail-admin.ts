import type { MailKind } from '@gatehouse/events';
import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { allOf, findPage } from '../search/newest-matches.ts';
import { isLinkAlive, linkIsValid } from '../guest/invitations.ts';
import type { DeliveryStatus } from './mail-deliveries.ts';
import { queryOf, type MailFilter } from './mail-filter.ts';
import { isCodeAliveSql, isCodeAlive, isRestoreLinkInvalid, type MailSecret } from './mail-secrets.ts';

/** A recorded mail as administrators see it. */
export interface MailRecord {
  id: string;
  kind: MailKind;
  accountId: string;
  /** Null if the mail's content could not be decrypted. */
  email: string | null;
  status: DeliveryStatus;
  /** The number of tries since the mail was recorded, or since an operator had it retried. */
  tries: number;
  lastError: string | null;
  nextTryAt: Date | null;
  createdAt: Date;
  sentAt: Date | null;
  /** When the mail was parked; null if it is not parked. */
  parkedAt: Date | null;
  /** The trace of the request that caused the mail. */
  traceId: string | null;
}

const COLUMNS = `
  id, kind, account_id as "accountId", email, status, tries - tries_forgiven as tries, last_error as "lastError",
  next_try_at as "nextTryAt", created_at as "createdAt", sent_at as "sentAt",
  parked_at as "parkedAt", trace_id as "traceId"`;

/**
 * A page of recorded mails, newest first, after `beforeId`. `nextBeforeId`: where to continue; `undefined` at the end.
 * A page may be shorter than requested before the end, because only a limited number of rows is scanned.
 */
export async function findNewest(
  executor: Executor,
  filter: MailFilter,
  page: { beforeId: string | undefined; max: number },
): Promise<{ mails: MailRecord[]; nextBeforeId: string | undefined }> {
  const { ids, nextBeforeId } = await findPage(executor, queryOf(filter), page);
  const mails = await query<MailRecord>(
    executor,
    `select ${COLUMNS} from mail_delivery where id = any(cast(? as uuid[])) order by id desc`,
    [ids],
  );
  return { mails, nextBeforeId };
}

/** All matching mails, for counting. */
export function rowsOf(filter: MailFilter): CountableRows {
  const { bindings, ...conditions } = queryOf(filter);
  return { sql: `select 1 from mail_delivery where ${allOf(conditions)}`, bindings };
}

export async function findById(executor: Executor, id: string): Promise<MailRecord | undefined> {
  const sql = `select ${COLUMNS} from mail_delivery where id = ?`;
  const [row] = await query<MailRecord>(executor, sql, [id]);
  return row;
}

/** A recorded mail that the transaction has locked. `codeId`: the code in the mail, if known. */
export interface LockedMail {
  id: string;
  kind: MailKind;
  accountId: string;
  status: DeliveryStatus;
  codeId: string | null;
  /** Whether the mail worker could decrypt the mail. */
  isReadable: boolean;
  hasInvalidRestoreLink: boolean;
}

/** Locks a mail until the transaction ends. */
export async function lock(tx: Transaction, id: string): Promise<LockedMail | undefined> {
  const [row] = await query<LockedMail>(
    tx,
    `select id, kind, account_id as "accountId", status, code_id as "codeId",
       email is not null as "isReadable", (${isRestoreLinkInvalid('mail_delivery')}) as "hasInvalidRestoreLink"
     from mail_delivery
     where id = ?
     for update`,
    [id],
  );
  return row;
}

/**
 * Which secret in a mail no longer works: its code or its link. If a mail's content was not recorded or could not be
 * decrypted, the mail worker decides later: by then its key may be available again.
 */
export async function findInvalidSecret(tx: Transaction, mail: LockedMail): Promise<MailSecret | undefined> {
  const { id, kind, accountId, codeId, isReadable, hasInvalidRestoreLink } = mail;
  if (codeId !== null && !(await isCodeAlive(tx, accountId, codeId))) return 'code';
  if (kind === 'invitation' && isReadable && !(await isLinkAlive(tx, id))) return 'invitation';
  return isReadable && hasInvalidRestoreLink ? 'restore link' : undefined;
}

/** Selects parked mails; a mail must meet all given conditions. */
export interface ParkedMailFilter {
  kind?: MailKind | undefined;
  emailKey?: string | undefined;
  /** Recorded at this time or later. */
  from?: Date | undefined;
  /** Recorded before this time. */
  to?: Date | undefined;
  /** A part of the error for which the mail was parked, case-insensitive. */
  error?: string | undefined;
}

/** Locks up to `max` matching parked mails; `isDead` as determined by `findInvalidSecret`. */
export async function lockParked(
  tx: Transaction,
  filter: ParkedMailFilter,
  max: number,
): Promise<{ id: string; kind: MailKind; accountId: string; isDead: boolean }[]> {
  const conditions = [
    ...(filter.kind === undefined ? [] : ['and kind = :kind']),
    ...(filter.emailKey === undefined ? [] : ['and lower(email) = :emailKey']),
    ...(filter.from === undefined ? [] : ['and created_at >= :from']),
    ...(filter.to === undefined ? [] : ['and created_at < :to']),
    ...(filter.error === undefined ? [] : [`and lower(last_error) like '%' || lower(:error) || '%'`]),
  ];
  return await query(
    tx,
    `with parked as materialized (
       select id, kind, account_id, code_id, email, event
       from mail_delivery
       where status = 'Parked' ${conditions.join(' ')}
       order by id desc
       limit :max
       for update
     )
     select id, kind, account_id as "accountId",
       (code_id is not null and not ${isCodeAliveSql('parked.account_id', 'parked.code_id')})
         or (kind = 'invitation' and email is not null and not ${linkIsValid('parked.id')})
         or (email is not null and ${isRestoreLinkInvalid('parked')}) as "isDead"
     from parked`,
    { ...filter, error: filter.error?.replaceAll(/[\\%_]/g, String.raw`\$&`), max },
  );
}

/** Makes parked mails that the transaction has locked due at once, with all their tries again. */
export async function retry(tx: Transaction, ids: readonly string[]): Promise<void> {
  await query(
    tx,
    `update mail_delivery
     set status = 'Retrying', tries_forgiven = tries, retried_at = now(), next_try_at = now(),
       claimed_until = null, parked_at = null
     where id = any(cast(? as uuid[]))
       and status = 'Parked'`,
    [ids],
  );
}

/** When a mail was last sent, and the error of the oldest mail that is being retried. */
export async function findLatest(
  executor: Executor,
): Promise<{ lastSentAt: Date | null; lastError: string | null }> {
  const [row] = await query<{ lastSentAt: Date | null; lastError: string | null }>(
    executor,
    `select
       (select sent_at from mail_delivery where status = 'Sent' order by id desc limit 1) as "lastSentAt",
       (select last_error from mail_delivery where status = 'Retrying' order by id limit 1) as "lastError"`,
  );
  return row ?? { lastSentAt: null, lastError: null };
}

/**
 * Deletes up to `max` mails with a status that were recorded and last changed more than `keepDays` ago; returns how
 * many. The limit on the id, which contains the time, lets the query use the index.
 */
export async function deleteOld(
  executor: Executor,
  options: { status: 'Sent' | 'Parked'; keepDays: number; max: number },
): Promise<number> {
  const rows = await query(
    executor,
    `delete from mail_delivery
     where id in (
       select id
       from mail_delivery
       where status = :status
         and id < ${FIRST_ID_SINCE}
         and coalesce(sent_at, retried_at, created_at) < now() - make_interval(days => :keepDays)
       order by id
       limit :max
       for update skip locked
     )
     returning id`,
    options,
  );
  return rows.length;
}

/** Identifiers of version 7 begin with 48 bits of milliseconds since the epoch (RFC 9562 §5.7). */
const FIRST_ID_SINCE = `
  cast(rpad(lpad(to_hex(
    cast(extract(epoch from now() - make_interval(days => :keepDays)) * 1000 as bigint)), 12, '0'), 32, '0') as uuid)`;
