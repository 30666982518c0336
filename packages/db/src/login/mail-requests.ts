import { v7 as newId } from 'uuid';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import type { Backlog } from '../outbox/outbox.ts';

/**
 * What a stranger may ask to be mailed: a code that sets a new password, one that verifies the email, or the link of an
 * invitation.
 */
export type MailRequestPurpose = 'reset' | 'verify' | 'invitation';

/** Where requests wait: those that Core answers, and those that Portal answers. */
export type MailRequestTable = 'reset_request' | 'invitation_request';

/** Somebody asked for a mail to an email, known or not. */
export interface MailRequest {
  emailKey: string;
  purpose: MailRequestPurpose;
  traceId: string;
}

/** Keeps a request until its work is done: as much work for an email without an account as for one with. */
export async function add(
  tx: Transaction,
  table: MailRequestTable,
  { emailKey, purpose, traceId }: MailRequest,
): Promise<void> {
  await query(tx, `insert into ${table} (id, email_key, purpose, trace_id) values (?, ?, ?, ?)`, [
    newId(),
    emailKey,
    purpose,
    traceId,
  ]);
}

/** Takes what is due of these purposes for some seconds, oldest first; other processes leave it alone meanwhile. */
export async function lease(
  executor: Executor,
  table: MailRequestTable,
  {
    purposes,
    limit,
    leaseSeconds,
  }: { purposes: readonly MailRequestPurpose[]; limit: number; leaseSeconds: number },
): Promise<MailRequest[]> {
  return query<MailRequest>(
    executor,
    `update ${table}
     set due_at = now() + make_interval(secs => ?)
     where id in (
       select id from ${table}
       where due_at <= now() and purpose = any(cast(? as text[]))
       order by due_at, id
       limit ?
       for update skip locked
     )
     returning email_key as "emailKey", purpose, trace_id as "traceId"`,
    [leaseSeconds, purposes, limit],
  );
}

/** Removes every request for such a mail to an email: one answers all that are waiting. */
export async function removeAll(
  tx: Transaction,
  table: MailRequestTable,
  { emailKey, purpose }: Pick<MailRequest, 'emailKey' | 'purpose'>,
): Promise<void> {
  await query(tx, `delete from ${table} where email_key = ? and purpose = ?`, [emailKey, purpose]);
}

/** How many wait, counted up to `countMax`, and how old the oldest is. */
export async function backlog(
  executor: Executor,
  table: MailRequestTable,
  countMax: number,
): Promise<Backlog> {
  const [row] = await query<Backlog>(
    executor,
    `select
       (select count(*)::int from (select id from ${table} limit ?) as counted) as count,
       coalesce(
         (select greatest(0, extract(epoch from now() - created_at))::float from ${table} order by id limit 1),
         0
       ) as "ageSeconds"`,
    [countMax],
  );
  return row ?? { count: 0, ageSeconds: 0 };
}
