import type { AnyEvent, MailKind } from '@gatehouse/events';
import { query, type Executor } from './connect.ts';

export type DeliveryStatus = 'Pending' | 'Sent' | 'Retrying' | 'Parked';

/** A mail that a worker holds for a while; `tries` counts this one and tells this hold from later ones. */
export interface Delivery {
  id: string;
  tries: number;
  /** Since it was recorded. */
  ageSeconds: number;
}

/** Why a mail cannot be had now: it is over, or it is someone else's or not due before so many seconds. */
export type Refusal = { status: 'Sent' | 'Parked' } | { status: 'Waiting'; seconds: number };

/**
 * Records a mail, once however often its event comes, and takes the event out of the outbox: from here on this
 * row is what makes sure that the mail is sent. One statement, so that both happen or neither.
 */
export async function record(
  db: Executor,
  mail: { event: AnyEvent; kind: MailKind; accountId: string; email: string | undefined },
): Promise<void> {
  const { event, kind, accountId, email = null } = mail;
  await query(
    db,
    `with recorded as (
       insert into mail_delivery (id, kind, account_id, email, event, trace_id)
       values (?, ?, ?, ?, ?::jsonb, ?)
       on conflict (id) do nothing
     )
     delete from outbox
     where id = ?`,
    [event.id, kind, accountId, email, JSON.stringify(event), event.traceid ?? null, event.id],
  );
}

/** Takes hold of a mail that is due, so that no other worker sends it within `holdSeconds`. */
export async function claim(db: Executor, id: string, holdSeconds: number): Promise<Delivery | Refusal> {
  const [claimed] = await query<Delivery>(
    db,
    `update mail_delivery
     set claimed_until = now() + make_interval(secs => ?),
       tries = tries + 1
     where id = ?
       and status in ('Pending', 'Retrying')
       and next_try_at <= now()
       and (claimed_until is null or claimed_until <= now())
     returning id, tries, extract(epoch from now() - created_at)::float as "ageSeconds"`,
    [holdSeconds, id],
  );
  return claimed ?? refusal(db, id);
}

async function refusal(db: Executor, id: string): Promise<Refusal> {
  const [row] = await query<{ status: DeliveryStatus; seconds: number }>(
    db,
    `select status,
       greatest(0, extract(epoch from greatest(next_try_at, claimed_until) - now()))::float as seconds
     from mail_delivery
     where id = ?`,
    [id],
  );
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
     from unnest(?::uuid[], ?::integer[]) as held (id, tries)
     where delivery.id = held.id
       and delivery.tries = held.tries
       and delivery.claimed_until is not null`,
    [holdSeconds, held.map(({ id }) => id), held.map(({ tries }) => tries)],
  );
}

/** The mail server has taken it. True whoever holds it by now, as the mail is out. */
export async function markSent(db: Executor, { id }: Delivery): Promise<void> {
  await query(
    db,
    `update mail_delivery
     set status = 'Sent',
       sent_at = now(),
       next_try_at = null,
       claimed_until = null,
       last_error = null
     where id = ?
       and status <> 'Sent'`,
    [id],
  );
}

/** Lets go of it until `afterSeconds` from now. */
export async function markRetry(
  db: Executor,
  { id, tries }: Delivery,
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
    [failure.afterSeconds, failure.error, id, tries],
  );
}

/** Gives it up until an operator has it sent again. */
export async function park(db: Executor, { id, tries }: Delivery, error: string): Promise<void> {
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
    [error, id, tries],
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

/** Whether a code would still be taken, by the database's clock: not used, voided, out of tries or expired. */
export async function isCodeAlive(db: Executor, accountId: string, codeId: string): Promise<boolean> {
  const rows = await query(
    db,
    `select 1
     from account_code
     where account_id = ?
       and id = ?
       and tries_left > 0
       and expires_at > now()`,
    [accountId, codeId],
  );
  return rows.length > 0;
}
