import type { AnyEvent, EventType, GatehouseEvent } from '@gatehouse/events';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** An event that a relay took to publish. */
export interface OutboxRow {
  id: string;
  type: EventType;
  event: AnyEvent;
}

/** Puts events into the outbox; `tx` is the transaction of the change that they tell of. */
export async function add(tx: Transaction, events: readonly GatehouseEvent[]): Promise<void> {
  if (events.length === 0) return;
  await query(
    tx,
    `insert into outbox (id, type, event)
     select (event ->> 'id')::uuid, event ->> 'type', event
     from jsonb_array_elements(?::jsonb) as event`,
    [JSON.stringify(events)],
  );
}

/**
 * Takes due events for `leaseSeconds`: within that time no other relay takes them, and a relay that dies gives
 * them back by its silence. No row stays locked meanwhile.
 */
export async function lease(
  db: Executor,
  options: { limit: number; leaseSeconds: number },
): Promise<OutboxRow[]> {
  return query<OutboxRow>(
    db,
    `update outbox
     set publish_after = now() + make_interval(secs => ?)
     where id in (
       select id
       from outbox
       where publish_after <= now()
       order by publish_after, id
       limit ?
       for update skip locked
     )
     returning id, type, event`,
    [options.leaseSeconds, options.limit],
  );
}

/** Removes events that the broker confirmed and that nobody else waits for. */
export async function remove(db: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await query(
    db,
    `delete from outbox
     where id = any(?::uuid[])`,
    [ids],
  );
}

/** Marks confirmed events that send mail; they are due again after a minute, then two, … at most an hour. */
export async function markPublished(db: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await query(
    db,
    `update outbox
     set published_at = now(),
       publications = publications + 1,
       publish_after = now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(publications, 10))
     where id = any(?::uuid[])`,
    [ids],
  );
}

/** Gives back events that could not be published. */
export async function release(db: Executor, ids: readonly string[], afterSeconds: number): Promise<void> {
  if (ids.length === 0) return;
  await query(
    db,
    `update outbox
     set publish_after = now() + make_interval(secs => ?)
     where id = any(?::uuid[])`,
    [afterSeconds, ids],
  );
}

/** How much has not arrived yet: what no broker confirmed, and mails that no mail worker has recorded. */
export interface Backlog {
  /** Counted as far as the given bound, as a count takes the longer the more there is. */
  count: number;
  /** Of the oldest, in seconds. */
  ageSeconds: number;
}

export async function backlog(db: Executor, countMax: number): Promise<Backlog> {
  const [row] = await query<Backlog>(
    db,
    `select
       (select count(*)::int from (select id from outbox order by id limit ?) as counted) as count,
       coalesce(
         (select greatest(0, extract(epoch from now() - created_at))::float from outbox order by id limit 1),
         0
       ) as "ageSeconds"`,
    [countMax],
  );
  return row ?? { count: 0, ageSeconds: 0 };
}
