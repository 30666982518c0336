import type { AnyEvent, EventType, GatehouseEvent } from '@gatehouse/events';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';
import { traceparentOf } from '../postgres/statement/traced-statements.ts';

export interface OutboxRow {
  id: string;
  type: EventType;
  event: AnyEvent;
}

/** Adds events; `tx` is the transaction that makes the change they report. */
export async function add(tx: Transaction, events: readonly GatehouseEvent[]): Promise<void> {
  if (events.length === 0) return;
  const traceparent = traceparentOf(tx);
  const traced = traceparent === undefined ? events : events.map((event) => ({ ...event, traceparent }));
  const sql = `insert into outbox (id, type, event)
    select (event ->> 'id')::uuid, event ->> 'type', event
    from jsonb_array_elements(?::jsonb) as event`;
  await query(tx, sql, [JSON.stringify(traced)]);
}

/**
 * Leases due events: if a relay dies, they become due again. The rows are chosen in an array, computed once: with `in`,
 * Postgres may choose again for each row of a table that it believes to be small, and lease them all.
 */
export const lease = statement.rows<OutboxRow, { limit: number; leaseSeconds: number }>(`update outbox
  set publish_after = now() + make_interval(secs => :leaseSeconds)
  where id = any(array(
    select id
    from outbox
    where publish_after <= now()
    order by publish_after, id
    limit :limit
    for update skip locked
  ))
  returning id, type, event`);

/** Removes events that the broker has confirmed and that cause no mail. */
export const remove = statement.run<[ids: readonly string[]]>('delete from outbox where id = any(?::uuid[])');

/** Marks confirmed events that cause a mail; they are due again after one minute, then two, and so on up to an hour. */
export const markPublished = statement.run<[ids: readonly string[]]>(`update outbox
  set published_at = now(),
    publications = publications + 1,
    publish_after = now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(publications, 10))
  where id = any(?::uuid[])`);

export const release = statement.run<[afterSeconds: number, ids: readonly string[]]>(`update outbox
  set publish_after = now() + make_interval(secs => ?)
  where id = any(?::uuid[])`);

/** The waiting items: events that no broker has confirmed, or mails that no mail worker has recorded. */
export interface Backlog {
  /** Counted only up to the given bound, as counting takes longer the more there are. */
  count: number;
  ageSeconds: number;
}

export async function backlogOf(
  db: Executor,
  table: 'outbox' | 'reset_request' | 'invitation_request',
  countMax: number,
) {
  const sql = `select
      (select count(*)::int from (select id from ${table} limit ?) as counted) as count,
      coalesce(
        (select greatest(0, extract(epoch from now() - created_at))::float from ${table} order by id limit 1),
        0
      ) as "ageSeconds"`;
  return await query.only<Backlog>(db, sql, [countMax]);
}

export function backlog(db: Executor, countMax: number): Promise<Backlog> {
  return backlogOf(db, 'outbox', countMax);
}
