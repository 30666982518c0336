import { v7 as newId } from 'uuid';
import type { Actor } from '../audit/audit.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

export const IS_PENDING = 'restored_at is null and erased_at is null';
/** When an account is erased: now, if the given time is in the past. */
const MOMENT =
  'greatest(now(), coalesce(cast(:moment as timestamptz), now() + make_interval(days => cast(:days as integer))))';

interface Order {
  accountId: string;
  askedBy: Actor;
  /** Days from now, by the database's clock; … */
  days: number;
  /** … instead of them, a time. */
  moment?: Date | undefined;
}

function bindingsOf({ accountId, askedBy, days, moment }: Order) {
  const by = { kind: askedBy.kind, askedBy: askedBy.kind === 'System' ? null : askedBy.id };
  return { accountId, ...by, days, moment };
}

/**
 * Stores that an account, which the transaction has locked, will be erased, and disables it until then. With 0 days the
 * erasure is due now. Returns when it is due; `undefined` if the account already has a pending erasure.
 */
export async function insert(tx: Transaction, order: Order & { restoreHash: Buffer | undefined }) {
  const sql = `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
    select :id, :accountId, :kind, :askedBy, ${MOMENT}, :restoreHash
    where not exists (select 1 from erasure where account_id = :accountId and ${IS_PENDING})
    returning erases_at as "erasesAt"`;
  const { restoreHash } = order;
  return await query.value<Date>(tx, sql, { id: newId(), ...bindingsOf(order), restoreHash });
}

/** Cancels the pending erasure of an account that the transaction has locked; `false` if there is none. */
export const cancel = txStatement.any<[accountId: string]>(
  `update erasure set restored_at = now(), restore_hash = null where account_id = ? and ${IS_PENDING} returning id`,
);

/**
 * Turns an owner's pending request into the order of another actor: it is due no later than before, and the owner's
 * link no longer cancels it. Returns when it is due; `undefined` if there is no such request.
 */
export async function takeOver(tx: Transaction, order: Order) {
  const sql = `update erasure
    set asked_by_kind = :kind, asked_by = :askedBy, restore_hash = null, erases_at = least(erases_at, ${MOMENT})
    where account_id = :accountId and asked_by = account_id and ${IS_PENDING}
    returning erases_at as "erasesAt"`;
  return await query.value<Date>(tx, sql, bindingsOf(order));
}

/** Keeps accounts disabled if their erasure is cancelled, and voids the owners' links; returns those it changed. */
export const keepDisabled = txStatement.column<string, [accountIds: readonly string[]]>(`
  update erasure set was_disabled = true, was_disabled_until = null, restore_hash = null
  where account_id = any(cast(? as uuid[])) and ${IS_PENDING} and (not was_disabled or was_disabled_until is not null or restore_hash is not null)
  returning account_id as "accountId"`);

/** Up to `max` accounts whose erasure is due, except `exceptIds`; those due longest come first. */
export const findDue = statement.column<string, { max: number; exceptIds: readonly string[] }>(`
  select account_id as "accountId" from erasure
  where erases_at <= now() and ${IS_PENDING} and account_id <> all(cast(:exceptIds as uuid[]))
  order by erases_at, id
  limit :max`);

/** For how long the longest overdue erasure has been due; 0 if none is. */
export const overdueSeconds = statement.onlyValue<number>(`
  select coalesce(cast(extract(epoch from now() - min(erases_at)) as double precision), 0) as seconds
  from erasure
  where erases_at <= now() and ${IS_PENDING}`);

export interface EndedErasure {
  id: string;
  accountId: string;
  restoredAt: Date | null;
  erasedAt: Date | null;
}

/** Up to `max` erasures that are done or were cancelled, oldest first, after `afterId`. */
export async function findEnded(
  executor: Executor,
  { afterId, max }: { afterId: string | undefined; max: number },
) {
  const sql = `select id, account_id as "accountId", restored_at as "restoredAt", erased_at as "erasedAt"
    from erasure
    where not (${IS_PENDING}) ${afterId === undefined ? '' : 'and id > :afterId'}
    order by id
    limit :max`;
  return await query<EndedErasure>(executor, sql, { max, ...(afterId !== undefined && { afterId }) });
}

/** Makes a pending erasure due now, as an order of the installation; `false` if there is none. */
export const makeDue = txStatement.any<[accountId: string]>(`update erasure
  set erases_at = least(erases_at, now()), asked_by_kind = 'System', asked_by = null, restore_hash = null
  where account_id = ? and ${IS_PENDING}
  returning id`);

export const cancelById = txStatement.value<string, [id: string]>(`
  update erasure set restored_at = now(), restore_hash = null
  where id = ? and ${IS_PENDING}
  returning account_id as "accountId"`);

/**
 * Stores an owner's request for erasure, uses up the code that proves it, and disables the account until then. Returns
 * when the erasure is due; `undefined` if another request used the code first, or an erasure is already pending.
 */
export async function insertOwn(
  tx: Transaction,
  erasure: { accountId: string; codeId: string; days: number; restoreHash: Buffer | undefined },
) {
  const sql =
    'select begin_own_erasure(:id, :accountId, :codeId, cast(:days as integer), :restoreHash) as "erasesAt"';
  return await query.value<Date>(tx, sql, { id: newId(), ...erasure });
}

/** Cancels the pending erasure whose link has this secret, and returns its account. */
export const cancelOwn = txStatement.value<string, [restoreHash: Buffer]>(
  'select take_back_own_erasure(?) as "accountId"',
);

/** Cancels an erasure requested since the change of email that this secret takes back, before its use. Lock first. */
export const cancelByFormerEmail = txStatement.value<string, [tokenHash: Buffer]>(
  'select take_back_erasure_by_email(?) as "accountId"',
);

/**
 * Erases an account that is due and whose sessions have ended everywhere, also in tables that are otherwise never
 * changed; `false` if it is not. `seconds`: how long it may take, if longer than usual; waits for locks stay short.
 */
export async function erase(tx: Transaction, accountId: string, seconds?: number): Promise<boolean> {
  if (seconds !== undefined) await extendTimeout(tx, seconds);
  const sql = 'select forget_account(?) is not null as "isForgotten"';
  const waiting = seconds === undefined ? {} : { waitMs: waitMsOf(seconds) };
  return await query.onlyValue<boolean>(tx, sql, [accountId], waiting);
}

/** A part of `erase`, which then cannot be cancelled. Returns how many rows it found; `undefined`: not due or ready. */
export async function erasePart(
  tx: Transaction,
  accountId: string,
  { rowsMax, seconds }: { rowsMax: number; seconds: number },
) {
  await extendTimeout(tx, seconds);
  const sql = 'select cast(forget_part(?, ?) as integer) as count';
  return await query.value<number>(tx, sql, [accountId, rowsMax], { waitMs: waitMsOf(seconds) });
}

/** Removes the mail worker's records of mails that were in transit when their accounts were erased. */
export const eraseLateMails = txStatement.run('select forget_late_mails()');

async function extendTimeout(tx: Transaction, seconds: number): Promise<void> {
  await query(tx, "select set_config('statement_timeout', ?, true), set_config('lock_timeout', '1s', true)", [
    `${seconds}s`,
  ]);
}

/** Longer than the time-out of the statement on the server, so that the server ends it first. */
function waitMsOf(seconds: number): number {
  return seconds * 1000 + 500;
}
