import type { AnyEvent, MailKind } from '@gatehouse/events';
import { query, type Executor } from '../postgres/connect.ts';
import type { Backlog } from '../outbox/outbox.ts';

export type DeliveryStatus = 'Pending' | 'Sent' | 'Retrying' | 'Parked';

/** A mail that a worker holds for a while. */
export interface Delivery {
  id: string;
  /** Tells this hold from earlier and later ones. */
  hold: number;
  /** With this one, since it was recorded or an operator had it tried again. */
  tries: number;
  /** Since then, too. */
  ageSeconds: number;
}

/** Why a mail cannot be had now: it is over, another one has its id, or it is held or not due before so many seconds. */
export type Refusal = { status: 'Sent' | 'Parked' | 'Other' } | { status: 'Waiting'; seconds: number };

/**
 * Records a mail, once however often its event comes, and takes the event out of the outbox: from here on this
 * row is what makes sure that the mail is sent. One statement, so that both happen or neither. Who records it holds
 * it; `undefined` when it was recorded before.
 */
export async function record(
  db: Executor,
  mail: {
    event: AnyEvent;
    kind: MailKind;
    accountId: string;
    email: string | undefined;
    /** The code that it carries, so that who cannot open it knows whether it is dead. */
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
     values (:id, :kind, :accountId, :email, cast(:codeId as uuid), cast(:event as jsonb), :traceId, 1,
       now() + make_interval(secs => :holdSeconds))
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

/** Takes hold of an event's mail that is due, so that no other worker sends it within `holdSeconds`. */
export async function claim(
  db: Executor,
  { id, data }: AnyEvent,
  holdSeconds: number,
): Promise<Delivery | Refusal> {
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
  return claimed ?? refusal(db, id, sealed);
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
  if (row?.isOther === true) return { status: 'Other' };
  if (row?.status === 'Sent' || row?.status === 'Parked') return { status: row.status };
  return { status: 'Waiting', seconds: row?.seconds ?? 0 };
}

/** Keeps hold of mails that are still under way. */
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

/** The mail server has taken it. True whoever holds it by now, as the mail is out. Nobody needs its content now. */
export async function markSent(db: Executor, { id }: Delivery): Promise<void> {
  await query(
    db,
    `update mail_delivery
     set status = 'Sent',
       sent_at = now(),
       next_try_at = null,
       claimed_until = null,
       last_error = null,
       event = event #- '{data,Mail}'
     where id = ?
       and status <> 'Sent'`,
    [id],
  );
}

/** Lets go of it until `afterSeconds` from now. */
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

/** Gives it up until an operator has it sent again. */
export async function park(db: Executor, { id, hold }: Delivery, error: string): Promise<void> {
  await query(
    db,
    `update mail_delivery
     set status = 'Parked',
       next_try_at = null,
       claimed_until = null,
       last_error = ?
     where id = ?
       and tries = ?
       and status in ('Pending', 'Retrying')`,
    [error, id, hold],
  );
}

/** Makes due at once what waits for this reason. */
export async function bringForward(db: Executor, error: string): Promise<void> {
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

/** Mails that should have been tried `overdueSeconds` ago and that nobody holds: their message was lost. */
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

/** How many recorded mails are neither sent nor parked, counted as far as `countMax`, and how old the oldest is. */
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
