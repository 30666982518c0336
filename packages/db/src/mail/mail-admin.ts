import type { MailKind } from '@gatehouse/events';
import { query, type Executor } from '../postgres/connect.ts';
import { conditionsOf, ordered, sieve, until, type Filters } from '../search/filters.ts';
import { defineList } from '../search/list.ts';
import { allOf } from '../search/newest-matches.ts';
import { linkIsValid } from '../guest/invitations.ts';
import { deliveryTable, type DeliveryStatus } from '../outbox/delivery-table.ts';
import { isCodeAliveSql, isRestoreLinkInvalid, type MailSecret } from './mail-secrets.ts';

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

/** Which mails are requested; a mail must meet all given conditions. */
export interface MailFilter {
  status?: DeliveryStatus | undefined;
  emailKey?: string | undefined;
  /** The trace of the request that caused the mails. */
  traceId?: string | undefined;
  /** Sent or parked at this time or later. */
  finishedFrom?: Date | undefined;
  /** Sent or parked before this time. */
  finishedTo?: Date | undefined;
}

/** Same wording as in its index. */
const FINISHED_AT = 'coalesce(sent_at, parked_at)';

/** The list of mails. */
export const { findNewest, rowsOf } = defineList<MailFilter, MailRecord>({
  table: 'mail_delivery',
  select: `select ${COLUMNS} from mail_delivery`,
  filters: {
    status: ordered('status = :status'),
    emailKey: ordered('lower(email) = :emailKey'),
    traceId: ordered('trace_id = :traceId'),
    finishedFrom: () => ({ sieve: [`${FINISHED_AT} >= :finishedFrom`], isIndexed: true }),
    // No mail is sent or parked before its event is created, and the id contains that time.
    finishedTo: (moment, name) => ({ ...until(FINISHED_AT)(moment, name), isIndexed: true }),
  },
  sieved: ['sent_at', 'parked_at'],
});

export async function findById(executor: Executor, id: string): Promise<MailRecord | undefined> {
  const sql = `select ${COLUMNS} from mail_delivery where id = ?`;
  const [row] = await query<MailRecord>(executor, sql, [id]);
  return row;
}

/** Selects parked mails; a mail must meet all given conditions. */
export interface ParkedMailFilter {
  id?: string | undefined;
  kind?: MailKind | undefined;
  emailKey?: string | undefined;
  /** Recorded at this time or later. */
  from?: Date | undefined;
  /** Recorded before this time. */
  to?: Date | undefined;
  /** A part of the error for which the mail was parked, case-insensitive. */
  error?: string | undefined;
}

/**
 * A parked mail. `invalid`: which secret in it no longer works: its code or its link. If a mail's content was not
 * recorded or could not be decrypted, the mail worker decides later: by then its key may be available again.
 */
export type ParkedMail = Pick<MailRecord, 'id' | 'kind' | 'accountId'> & { invalid: MailSecret | null };

/** Up to `max` matching parked mails, newest first. With `locks`, they are locked until the transaction ends. */
export async function findParked(
  executor: Executor,
  filter: ParkedMailFilter,
  { max, locks }: { max: number; locks: boolean },
): Promise<ParkedMail[]> {
  const { bindings, ...conditions } = conditionsOf(PARKED_FILTERS, filter);
  return await query<ParkedMail>(
    executor,
    `with parked as materialized (
       select id, kind, account_id, code_id, email, event
       from mail_delivery
       where status = 'Parked' and ${allOf(conditions)}
       order by id desc
       limit :max
       ${locks ? 'for update' : ''}
     )
     select id, kind, account_id as "accountId",
       case
         when code_id is not null and not ${isCodeAliveSql('parked.account_id', 'parked.code_id')} then 'code'
         when email is null then null
         when kind = 'invitation' and not ${linkIsValid('parked.id')} then 'invitation'
         when ${isRestoreLinkInvalid('parked')} then 'restore link'
       end as invalid
     from parked`,
    { ...bindings, max },
  );
}

const PARKED_FILTERS: Filters<ParkedMailFilter> = {
  id: ordered('id = :id'),
  kind: ordered('kind = :kind'),
  emailKey: ordered('lower(email) = :emailKey'),
  from: sieve('created_at >= :from'),
  to: sieve('created_at < :to'),
  error: (text) => ({
    sieve: [`lower(last_error) like '%' || lower(:error) || '%'`],
    bindings: { error: text.replaceAll(/[\\%_]/g, String.raw`\$&`) },
  }),
};

export const { retry, deleteOld } = deliveryTable('mail_delivery');

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
