import { v7 as newId } from 'uuid';
import type { Actor } from '../audit/audit.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { ordered } from '../search/filters.ts';
import { defineList } from '../search/list.ts';

/** The state of an erasure. */
export const ERASURE_STATES = ['Pending', 'Erased', 'Restored'] as const;

/** The erasure of an account: pending, done or cancelled. It contains no personal data. */
export interface Erasure {
  id: string;
  accountId: string;
  askedAt: Date;
  askedByKind: Actor['kind'];
  askedBy: string | null;
  /** When the account is erased, unless the erasure is cancelled before. */
  erasesAt: Date;
  restoredAt: Date | null;
  erasedAt: Date | null;
  /** How many rows of each table were erased. */
  counts: Record<string, number> | null;
}

const COLUMNS = `
  id, account_id as "accountId", asked_at as "askedAt", asked_by_kind as "askedByKind", asked_by as "askedBy",
  erases_at as "erasesAt", restored_at as "restoredAt", erased_at as "erasedAt", counts`;
const IS_PENDING = 'restored_at is null and erased_at is null';
/** When an account is erased: now, if the given time is in the past. */
const MOMENT =
  'greatest(now(), coalesce(cast(:moment as timestamptz), now() + make_interval(days => cast(:days as integer))))';

function momentBindings(after: { days: number } | { moment: Date }) {
  return {
    moment: 'moment' in after ? after.moment : null,
    days: 'days' in after ? after.days : 0,
  };
}

function askedByBindings(actor: Actor) {
  return { kind: actor.kind, askedBy: actor.kind === 'System' ? null : actor.id };
}

/**
 * Stores that an account, which the transaction has locked, will be erased, and disables it until then. With 0 days the
 * erasure is due now. Returns when it is due; `undefined` if the account already has a pending erasure.
 */
export async function insert(
  tx: Transaction,
  erasure: {
    accountId: string;
    askedBy: Actor;
    /** Days from now, by the database's clock, or a time. */
    after: { days: number } | { moment: Date };
    restoreHash: Buffer | undefined;
  },
): Promise<Date | undefined> {
  const { accountId, askedBy, after, restoreHash } = erasure;
  const [row] = await query<{ erasesAt: Date }>(
    tx,
    `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
     select :id, :accountId, :kind, :askedBy, ${MOMENT}, :restoreHash
     where not exists (select 1 from erasure where account_id = :accountId and ${IS_PENDING})
     returning erases_at as "erasesAt"`,
    {
      id: newId(),
      accountId,
      ...askedByBindings(askedBy),
      ...momentBindings(after),
      restoreHash: restoreHash ?? null,
    },
  );
  return row?.erasesAt;
}

/** Cancels the pending erasure of an account that the transaction has locked; `false` if there is none. */
export async function cancel(tx: Transaction, accountId: string): Promise<boolean> {
  const rows = await query(
    tx,
    `update erasure set restored_at = now(), restore_hash = null where account_id = ? and ${IS_PENDING} returning id`,
    [accountId],
  );
  return rows.length === 1;
}

/**
 * Turns an owner's pending request into the order of another actor: it is due no later than before, and the owner's
 * link no longer cancels it. Returns when it is due; `undefined` if there is no such request.
 */
export async function takeOver(
  tx: Transaction,
  order: { accountId: string; askedBy: Actor; after: { days: number } | { moment: Date } },
): Promise<Date | undefined> {
  const { accountId, askedBy, after } = order;
  const [row] = await query<{ erasesAt: Date }>(
    tx,
    `update erasure
     set asked_by_kind = :kind, asked_by = :askedBy, restore_hash = null, erases_at = least(erases_at, ${MOMENT})
     where account_id = :accountId and asked_by = account_id and ${IS_PENDING}
     returning erases_at as "erasesAt"`,
    { accountId, ...askedByBindings(askedBy), ...momentBindings(after) },
  );
  return row?.erasesAt;
}

/**
 * Makes accounts with a pending erasure stay disabled if it is cancelled, and invalidates their owners' links. Returns
 * the accounts for which this changed something.
 */
export async function keepDisabled(tx: Transaction, accountIds: readonly string[]): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    tx,
    `update erasure set was_disabled = true, was_disabled_until = null, restore_hash = null
     where account_id = any(cast(? as uuid[])) and ${IS_PENDING} and (not was_disabled or was_disabled_until is not null or restore_hash is not null)
     returning account_id as "accountId"`,
    [accountIds],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Up to `max` accounts whose erasure is due, except `exceptIds`; those due longest come first. */
export async function findDue(
  executor: Executor,
  { max, exceptIds }: { max: number; exceptIds: readonly string[] },
): Promise<string[]> {
  const rows = await query<{ accountId: string }>(
    executor,
    `select account_id as "accountId" from erasure
     where erases_at <= now() and ${IS_PENDING} and account_id <> all(cast(:exceptIds as uuid[]))
     order by erases_at, id
     limit :max`,
    { max, exceptIds },
  );
  return rows.map(({ accountId }) => accountId);
}

/** For how long the longest overdue erasure has been due; 0 if none is. */
export async function overdueSeconds(executor: Executor): Promise<number> {
  const [row] = await query<{ seconds: number }>(
    executor,
    `select coalesce(cast(extract(epoch from now() - min(erases_at)) as double precision), 0) as seconds
     from erasure
     where erases_at <= now() and ${IS_PENDING}`,
  );
  return row?.seconds ?? 0;
}

/** Up to `max` erasures that are done or were cancelled, oldest first, after `afterId`. */
export async function findEnded(
  executor: Executor,
  { afterId, max }: { afterId: string | undefined; max: number },
): Promise<Erasure[]> {
  return await query<Erasure>(
    executor,
    `select ${COLUMNS} from erasure
     where not (${IS_PENDING}) ${afterId === undefined ? '' : 'and id > :afterId'}
     order by id
     limit :max`,
    { max, ...(afterId !== undefined && { afterId }) },
  );
}

/**
 * Makes the pending erasure of an account due now, as an order of the installation itself; `false` if there is none.
 */
export async function makeDue(tx: Transaction, accountId: string): Promise<boolean> {
  const rows = await query(
    tx,
    `update erasure
     set erases_at = least(erases_at, now()), asked_by_kind = 'System', asked_by = null, restore_hash = null
     where account_id = ? and ${IS_PENDING}
     returning id`,
    [accountId],
  );
  return rows.length === 1;
}

/** Cancels this erasure if it is pending, and returns its account. */
export async function cancelById(tx: Transaction, id: string): Promise<string | undefined> {
  const [row] = await query<{ accountId: string }>(
    tx,
    `update erasure set restored_at = now(), restore_hash = null
     where id = ? and ${IS_PENDING}
     returning account_id as "accountId"`,
    [id],
  );
  return row?.accountId;
}

/** Which erasures a list shows; an erasure must meet all given conditions. */
export interface ErasureFilter {
  accountId?: string | undefined;
  state?: (typeof ERASURE_STATES)[number] | undefined;
}

const STATES: Record<(typeof ERASURE_STATES)[number], string> = {
  Pending: IS_PENDING,
  Erased: 'erased_at is not null',
  Restored: 'restored_at is not null',
};

/** The list of erasures. */
export const { findNewest } = defineList<ErasureFilter, Erasure>({
  table: 'erasure',
  select: `select ${COLUMNS} from erasure`,
  filters: {
    accountId: ordered('account_id = :accountId'),
    state: (state) => ({ ordered: [STATES[state]] }),
  },
  sieved: [],
});
