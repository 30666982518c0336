import { v7 as newId } from 'uuid';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import type { Backlog } from '../outbox/outbox.ts';

/** Somebody asked for a code that sets a new password. */
export interface MailRequest {
  emailKey: string;
  traceId: string;
}

/** Keeps a request until its work is done: as much work for an email without an account as for one with. */
export async function add(tx: Transaction, { emailKey, traceId }: MailRequest): Promise<void> {
  await query(tx, 'insert into reset_request (id, email_key, trace_id) values (?, ?, ?)', [
    newId(),
    emailKey,
    traceId,
  ]);
}

/** Takes what is due for some seconds, oldest first; other processes leave it alone meanwhile. */
export async function lease(
  executor: Executor,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<MailRequest[]> {
  return query<MailRequest>(
    executor,
    `update reset_request
     set due_at = now() + make_interval(secs => ?)
     where id in (
       select id from reset_request where due_at <= now() order by due_at, id limit ? for update skip locked
     )
     returning email_key as "emailKey", trace_id as "traceId"`,
    [leaseSeconds, limit],
  );
}

/** Removes every request for an email: one mail answers all that are waiting. */
export async function removeAll(tx: Transaction, emailKey: string): Promise<void> {
  await query(tx, 'delete from reset_request where email_key = ?', [emailKey]);
}

/** How many wait, counted up to `countMax`, and how old the oldest is. */
export async function backlog(executor: Executor, countMax: number): Promise<Backlog> {
  const [row] = await query<Backlog>(
    executor,
    `select
       (select count(*)::int from (select id from reset_request limit ?) as counted) as count,
       coalesce(
         (select greatest(0, extract(epoch from now() - created_at))::float from reset_request order by id limit 1),
         0
       ) as "ageSeconds"`,
    [countMax],
  );
  return row ?? { count: 0, ageSeconds: 0 };
}
