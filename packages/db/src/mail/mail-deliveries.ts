import type { AnyEvent, MailKind } from '@gatehouse/events';
import { query, type Executor } from '../postgres/connect.ts';
import type { Backlog } from '../outbox/outbox.ts';

export type DeliveryStatus = 'Pending' | 'Sent' | 'Retrying' | 'Parked';

export interface Delivery {
  id: string;
  /** Distinguishes this worker's hold from earlier and later ones of the same mail. */
  hold: number;
  /** The number of tries, including this one, since the mail was recorded or an operator had it retried. */
  tries: number;
  /** The time since then. */
  ageSeconds: number;
}

/**
 * Why a mail cannot be claimed now: `over` if it is done, `other` if its id belongs to another mail, `waiting` if a
 * worker holds it or it is not due for this number of seconds.
 */
export type Refusal = { kind: 'over' | 'other' } | { kind: 'waiting'; seconds: number };

/**
 * Records a mail once, however often its event arrives, and removes the event from the outbox: from then on this row
 * guarantees that the mail is sent. A single statement, so that both happen or neither. The recording worker holds the
 * mail. `undefined` if the mail was already recorded, or if its account has been erased (only the mail about the
 * erasure is still sent).
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
  },
  holdSeconds: number,
): Promise<Delivery | undefined> {
  const { event, kind, accountId, email, codeId } = mail;
  const [recorded] = await query<Delivery>(
    db,
    `with gone as (
       delete from outbox
       where id = :id
     )
     insert into mail_delivery (id, kind, account_id, email, code_id, event, trace_id, tries, claimed_until)
     select cast(:id as uuid), cast(:kind as text), cast(:accountId as uuid), cast(:email as text),
       cast(:codeId as uuid), cast(:event as jsonb), cast(:traceId as text), 1,
       now() + make_interval(secs => :holdSeconds)
     where cast(:kind as text) = 'account-erased'
       or not exists (select 1 from erasure where account_id = cast(:accountId as uuid) and erased_at is not null)
     on conflict (id) do nothing
     returning id, tries as hold, tries, 0 as "ageSeconds"`,
    {
      id: event.id,
      kind,
      accountId,
      email: email ?? null,
      codeId: codeId ?? null,
      event: JSON.stringify(event),
      traceId: event.traceid ?? null,
      holdSeconds,
    },
  );
  return recorded;
}

/** Claims the mail of an event if it is due, so that no other worker sends it within `holdSeconds`. */
export async function claim(
  db: Executor,
  { id, data }: AnyEvent,
  holdSeconds: number,
): Promise<{ kind: 'claimed'; delivery: Delivery } | Refusal> {
  const sealed = 'Mail' in data ? (data.Mail ?? '') : '';
  const [claimed] = await query<Delivery>(
    db,
    `update mail_delivery
     set claimed_until = now() + make_interval(secs => ?),
       tries = tries + 1
     where id = ?
       and event #>> '{data,Mail}' = ?
       and status in ('Pending', 'Retrying')
       and next_try_at <= now()
       and (claimed_until is null or claimed_until <= now())
     returning id, tries as hold, tries - tries_forgiven as tries,
       extract(epoch from now() - coalesce(retried_at, created_at))::float as "ageSeconds"`,
    [holdSeconds, id, sealed],
  );
  return claimed === undefined ? refusal(db, id, sealed) : { kind: 'claimed', delivery: claimed };
}

async function refusal(db: Executor, id: string, sealed: string): Promise<Refusal> {
  const [row] = await query<{ status: DeliveryStatus; isOther: boolean; seconds: number }>(
    db,
    `select status, event #>> '{data,Mail}' <> ? as "isOther",
       greatest(0, extract(epoch from greatest(next_try_at, claimed_until) - now()))::float as seconds
     from mail_delivery
     where id = ?`,
    [sealed, id],
  );
  // Without a record, the mail was sent long ago, or its account was erased meanwhile.
  if (row === undefined) return { kind: 'over' };
  if (row.isOther) return { kind: 'other' };
  if (row.status === 'Sent' || row.status === 'Parked') return { kind: 'over' };
  return { kind: 'waiting', seconds: row.seconds };
}

/** Extends the holds of mails in progress. */
export async function extendClaims(
  db: Executor,
  held: readonly Delivery[],
  holdSeconds: number,
): Promise<void> {
  await query(
    db,
    `update mail_delivery as delivery
     set claimed_until = now() + make_interval(secs => ?)
     from unnest(?::uuid[], ?::integer[]) as held (id, hold)
     where delivery.id = held.id
       and delivery.tries = held.hold
       and delivery.claimed_until is not null`,
    [holdSeconds, held.map(({ id }) => id), held.map(({ hold }) => hold)],
  );
}

/**
 * Records that the mail server has accepted the mail, whichever worker holds it now. Its content is no longer needed.
 */
export async function markSent(db: Executor, { id }: Delivery): Promise<void> {
  await query(
    db,
    `update mail_delivery
     set status = 'Sent',
       sent_at = now(),
       parked_at = null,
       next_try_at = null,
       claimed_until = null,
       last_error = null,
       event = event #- '{data,Mail}'
     where id = ?
       and status <> 'Sent'`,
    [id],
  );
}

/** Releases the mail; it is due again `afterSeconds` from now. */
export async function markRetry(
  db: Executor,
  { id, hold }: Delivery,
  failure: { afterSeconds: number; error: string },
): Promise<void> {
  await query(
    db,
    `update mail_delivery
     set status = 'Retrying',
       next_try_at = now() + make_interval(secs => ?),
       claimed_until = null,
       last_error = ?
     where id = ?
       and tries = ?
       and status in ('Pending', 'Retrying')`,
    [failure.afterSeconds, failure.error, id, hold],
  );
}

/** Parks the mail until an operator has it retried. */
export async function park(db: Executor, { id, hold }: Delivery, error: string): Promise<void> {
  await query(
    db,
    `update mail_delivery
     set status = 'Parked',
       parked_at = now(),
       next_try_at = null,
       claimed_until = null,
       last_error = ?
     where id = ?
       and tries = ?
       and status in ('Pending', 'Retrying')`,
    [error, id, hold],
  );
}

/** Makes all mails that wait because of this error due at once. */
export async function makeDueByError(db: Executor, error: string): Promise<void> {
  await query(
    db,
    `update mail_delivery
     set next_try_at = now()
     where status in ('Pending', 'Retrying')
       and last_error = ?
       and next_try_at > now()`,
    [error],
  );
}

/** Mails that are `overdueSeconds` late and held by no worker: their message was lost. */
export async function findOverdue(
  db: Executor,
  options: { overdueSeconds: number; limit: number },
): Promise<AnyEvent[]> {
  const rows = await query<{ event: AnyEvent }>(
    db,
    `select event
     from mail_delivery
     where status in ('Pending', 'Retrying')
       and next_try_at <= now() - make_interval(secs => ?)
       and (claimed_until is null or claimed_until <= now())
     order by next_try_at
     limit ?`,
    [options.overdueSeconds, options.limit],
  );
  return rows.map(({ event }) => event);
}

/**
 * The number of recorded mails that are neither sent nor parked, counted up to `countMax`, and the age of the oldest.
 */
export async function backlog(db: Executor, countMax: number): Promise<Backlog> {
  const [row] = await query<Backlog>(
    db,
    `with oldest as (
       (select created_at from mail_delivery where status = 'Pending' order by id limit 1)
       union all
       (select created_at from mail_delivery where status = 'Retrying' order by id limit 1)
     ),
     counted as (
       select 1
       from mail_delivery
       where status in ('Pending', 'Retrying')
       limit ?
     )
     select (select count(*)::int from counted) as count,
       coalesce(extract(epoch from now() - min(created_at)), 0)::float as "ageSeconds"
     from oldest`,
    [countMax],
  );
  return row ?? { count: 0, ageSeconds: 0 };
}
