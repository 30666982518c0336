import { Unavailable, type Deadline } from '@gatehouse/runtime';
import type { Knex } from 'knex';

/** BEGIN that also tells the transaction's number (a standby has none to give) and Postgres' clock, in one round trip. */
export const BEGIN = `BEGIN; select
  case when pg_is_in_recovery() then null else pg_current_xact_id()::text end as id,
  extract(epoch from clock_timestamp())::float8 * 1000 as now`;

/** What BEGIN was answered with. */
export interface Beginning {
  id: string | null;
  /** Postgres' clock, in milliseconds since the epoch. */
  now: number;
}

/** How long before its deadline a transaction is not committed any more: what follows the commit takes time, too. */
const COMMIT_MS = 250;

interface Known {
  id: string | undefined;
  /** What Postgres' clock is ahead of `performance.now()`, or a little less: its answer was on its way for a while. */
  aheadMs: number;
  deadline: Deadline | undefined;
}

/** What is known of open transactions, by what Knex runs each with. */
const transactions = new WeakMap<object, Known>();

/** Keeps what BEGIN was answered with. */
export function keepBeginning(client: object, { id, now }: Beginning): void {
  transactions.set(client, { id: id ?? undefined, aheadMs: now - performance.now(), deadline: undefined });
}

/** The number by which Postgres knows a transaction; `undefined` where it gave none. */
export function transactionIdOf(tx: Knex.Transaction): string | undefined {
  return transactions.get(tx.client as object)?.id; // Knex types it as any
}

/** Holds a transaction that has just begun to its deadline. */
export function holdTo(tx: Knex.Transaction, deadline: Deadline): void {
  const known = transactions.get(tx.client as object); // Knex types it as any
  if (known === undefined) throw new Error('a transaction that has not begun');
  known.deadline = deadline;
}

/** @throws {Unavailable} where it is too late to commit. */
export function refuseLate({ dueAt }: Deadline): void {
  // Whatever is no number is too late as well.
  if (performance.now() < dueAt - COMMIT_MS) return;
  throw tooLate();
}

/** As callers are to see it. */
export function tooLate(): Unavailable {
  return new Unavailable('postgres', { cause: new Error('no time is left before the answer') });
}

/** As `refuseLate`, for a statement of a transaction; statements outside of one have no deadline. */
export function refuseLateStatement(client: object): void {
  const deadline = transactions.get(client)?.deadline;
  if (deadline !== undefined) refuseLate(deadline);
}

/**
 * COMMIT for a transaction. Postgres may be frozen or out of reach while COMMIT is on its way to it, and would do it
 * whenever it comes round; so it looks at its own clock first, and fails with a division by zero when it is too late.
 */
export function commitOf(client: object): string {
  const known = transactions.get(client);
  if (known?.deadline === undefined || known.deadline.dueAt === Infinity) return 'COMMIT;';
  const latest = known.deadline.dueAt - COMMIT_MS + known.aheadMs;
  return `select 1 / (extract(epoch from clock_timestamp()) * 1000 < ${latest.toFixed(3)})::int; COMMIT;`;
}

/** Whether a COMMIT failed because it came too late. */
export function isLate(error: unknown): boolean {
  return (error as { code?: unknown }).code === DIVISION_BY_ZERO;
}

const DIVISION_BY_ZERO = '22012';
