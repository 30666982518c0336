import type { AnyEvent, MailKind } from '@gatehouse/events';
import { CLAIMED, deliveryTable, IS_DUE, SENT, type Delivery } from '../outbox/delivery-table.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';

export interface DueMail extends Delivery {
  kind: MailKind;
  accountId: string;
  sealed: string;
  eventTime: string;
  traceId: string | null;
  traceparent: string | null;
}

/**
 * Records a mail once, however often its event arrives, and removes the event from the outbox, in one statement: from
 * then on this row guarantees the mail, parked if there is a `fault`. `false` if it was recorded before, or its account
 * is erased (only the mail about the erasure is still sent).
 */
export async function record(
  db: Executor,
  mail: {
    event: AnyEvent;
    kind: MailKind;
    accountId: string;
    email: string | undefined;
    /** The code in the mail, so that a worker that cannot decrypt the mail knows whether it is still needed. */
    codeId?: string | undefined;
    fault?: string | undefined;
  },
) {
  const { event } = mail;
  const sql = `with gone as (
      delete from outbox
      where id = :id
    )
    insert into mail_delivery (
      id, kind, account_id, email, code_id, event, trace_id, status, next_try_at, parked_at, last_error)
    select cast(:id as uuid), cast(:kind as text), cast(:accountId as uuid), cast(:email as text),
      cast(:codeId as uuid), cast(:event as jsonb), cast(:traceId as text),
      case when cast(:fault as text) is null then 'Pending' else 'Parked' end,
      case when cast(:fault as text) is null then now() end,
      case when cast(:fault as text) is not null then now() end,
      cast(:fault as text)
    where cast(:kind as text) = 'account-erased'
      or not exists (select 1 from erasure where account_id = cast(:accountId as uuid) and erased_at is not null)
    on conflict (id) do nothing
    returning id`;
  return await query.any(db, sql, {
    codeId: undefined,
    fault: undefined,
    ...mail,
    id: event.id,
    event: JSON.stringify(event),
    traceId: event.traceid,
  });
}

/** Whether the id of an event belongs to another mail, which is recorded and not sent yet. */
export async function isOfOtherMail(db: Executor, { id, data }: AnyEvent) {
  const sealed = 'Mail' in data ? (data.Mail ?? '') : '';
  const sql = `select 1
    from mail_delivery
    where id = ?
      and event #>> '{data,Mail}' <> ?`;
  return await query.any(db, sql, [id, sealed]);
}

/**
 * Claims due mails for `holdSeconds`. `takesOver`: also those whose worker has not extended its hold, but `own`.
 * `newFirst`: those that were tried least, of them the newest.
 */
export async function claimDue(
  db: Executor,
  {
    newFirst = false,
    ...options
  }: { limit: number; holdSeconds: number; takesOver: boolean; own: readonly string[]; newFirst?: boolean },
) {
  const sql = `with due as materialized (
      select id
      from mail_delivery
      where ${IS_DUE}
      order by ${newFirst ? 'tries - tries_forgiven, next_try_at desc' : 'next_try_at'}
      limit :limit
      for update skip locked
    )
    update mail_delivery as mail
    set claimed_until = now() + make_interval(secs => :holdSeconds),
      tries = tries + 1
    from due
    where mail.id = due.id
    returning mail.id, kind, account_id as "accountId", event #>> '{data,Mail}' as sealed,
      event ->> 'time' as "eventTime", trace_id as "traceId", event ->> 'traceparent' as traceparent,
      ${CLAIMED}`;
  return await query<DueMail>(db, sql, options);
}

export const { extendClaims, markRetry, park, backlog, retry, deleteOld } = deliveryTable('mail_delivery');

/** Accepted by the mail server, whichever worker holds it now; its content is no longer needed. */
export const markSent = statement.run<Pick<Delivery, 'id'>>(`update mail_delivery
  set ${SENT},
    event = event #- '{data,Mail}'
  where id = :id
    and status <> 'Sent'`);

/** Makes all mails that wait because of an error that begins like this due at once. */
export const makeDueByError = statement.run<[error: string]>(`update mail_delivery
  set next_try_at = now()
  where status in ('Pending', 'Retrying')
    and starts_with(last_error, ?)
    and next_try_at > now()`);

/** When a mail was last sent, and the error of the oldest mail that is being retried. */
export const findLatest = statement.only<{ lastSentAt: Date | null; lastError: string | null }>(`select
  (select sent_at from mail_delivery where status = 'Sent' order by id desc limit 1) as "lastSentAt",
  (select last_error from mail_delivery where status = 'Retrying' order by id limit 1) as "lastError"`);
