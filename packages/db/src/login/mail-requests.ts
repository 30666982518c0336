import { v7 as newId } from 'uuid';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { traceparentOf } from '../postgres/statement/traced-statements.ts';

export { backlogOf as backlog } from '../outbox/outbox.ts';

export type MailRequestPurpose = 'reset' | 'verify' | 'login' | 'invitation';

/** The tables of waiting requests: one for those that Core handles, one for those that Portal handles. */
export type MailRequestTable = 'reset_request' | 'invitation_request';

/** A request for a mail to an email, whether or not the email has an account. */
export interface MailRequest {
  emailKey: string;
  purpose: MailRequestPurpose;
  traceId: string;
  /** The address that asks, or the /64 of an IPv6 address. */
  addressGroup?: string | undefined;
  /** For `login`: the hash of the secret with which the mailed code works. Such a request has a mail of its own. */
  requestHash?: Buffer | undefined;
}

export interface LeasedMailRequest extends Omit<MailRequest, 'addressGroup' | 'requestHash'> {
  id: string;
  requestHash: Buffer | null;
  traceparent: string | null;
}

/** Stores a request until it is handled: the same work for an email with and without an account. */
export async function add(
  tx: Transaction,
  table: MailRequestTable,
  { emailKey, purpose, traceId, addressGroup, requestHash }: MailRequest,
): Promise<void> {
  const [column, value] = requestHash === undefined ? ['', ''] : [', request_hash', ', :requestHash'];
  const sql = `insert into ${table} (id, email_key, purpose, trace_id, traceparent, address_group${column})
    values (:id, :emailKey, :purpose, :traceId, :traceparent, :addressGroup${value})`;
  await query(tx, sql, {
    ...{ id: newId(), emailKey, purpose, traceId },
    traceparent: traceparentOf(tx) ?? null,
    addressGroup,
    ...(requestHash !== undefined && { requestHash }),
  });
}

/** The hash of a request as an SQL expression: only one of the tables has requests for logging in. */
const REQUEST_HASH: Record<MailRequestTable, string> = {
  reset_request: 'request_hash',
  invitation_request: 'null::bytea',
};

/** Leases due requests of these purposes for some seconds, oldest first; other processes skip them meanwhile. */
export async function lease(
  executor: Executor,
  table: MailRequestTable,
  {
    purposes,
    limit,
    leaseSeconds,
  }: { purposes: readonly MailRequestPurpose[]; limit: number; leaseSeconds: number },
) {
  const sql = `update ${table}
    set due_at = now() + make_interval(secs => ?)
    where id = any(array(
      select id from ${table}
      where due_at <= now() and purpose = any(cast(? as text[]))
      order by due_at, id
      limit ?
      for update skip locked
    ))
    returning id, email_key as "emailKey", purpose, trace_id as "traceId", traceparent,
      ${REQUEST_HASH[table]} as "requestHash"`;
  return query<LeasedMailRequest>(executor, sql, [leaseSeconds, purposes, limit]);
}

/**
 * Removes all requests for an email, because one mail answers them, or the one with this hash. Returns the addresses
 * that asked; `undefined` if another process has removed the requests meanwhile.
 */
export async function removeAll(
  tx: Transaction,
  table: MailRequestTable,
  { emailKey, purpose, requestHash }: Pick<LeasedMailRequest, 'emailKey' | 'purpose' | 'requestHash'>,
): Promise<string[] | undefined> {
  const sql = `delete from ${table}
    where email_key = ? and purpose = ? and ${REQUEST_HASH[table]} is not distinct from cast(? as bytea)
    returning address_group as "addressGroup"`;
  const removed = await query<{ addressGroup: string | null }>(tx, sql, [emailKey, purpose, requestHash]);
  if (removed.length === 0) return undefined;
  return [...new Set(removed.flatMap(({ addressGroup }) => addressGroup ?? []))];
}
