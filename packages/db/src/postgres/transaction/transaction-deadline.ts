import { Unavailable, type Deadline } from '@gatehouse/runtime';
import type { Knex } from 'knex';
import { codeOf } from '../faults.ts';

/** BEGIN that also returns the transaction’s id (a standby has none) and the time of Postgres, in one round trip. */
export const BEGIN = `BEGIN; select
  case when pg_is_in_recovery() then null else pg_current_xact_id()::text end as id,
  extract(epoch from clock_timestamp())::float8 * 1000 as now`;

export interface Beginning {
  id: string | null;
  now: number;
}

/** Nothing is committed in the last milliseconds: the rest of the answer takes time, too. */
const COMMIT_MS = 250;

/** Identifies a transaction when Postgres is asked for its outcome. */
export interface TransactionName {
  id: string;
  /** The timeline in which the id is unique; `undefined` if the server does not report it. */
  timeline: string | undefined;
}

interface Known {
  name: TransactionName | undefined;
  /** How far Postgres’ clock is ahead of `performance.now()`, or less, as its answer took time. */
  aheadMs: number;
  deadline: Deadline | undefined;
}

const transactions = new WeakMap<object, Known>();

export function keepBeginning(
  client: object,
  { id, now, timeline }: Beginning & { timeline: string | undefined },
): void {
  const name = id === null ? undefined : { id, timeline };
  transactions.set(client, { name, aheadMs: now - performance.now(), deadline: undefined });
}

/** The transaction’s id and timeline; `undefined` if Postgres gave it no id. */
export function nameOf(tx: Knex.Transaction): TransactionName | undefined {
  return transactions.get(tx.client as object)?.name; // Knex types it as any
}

export function setDeadline(tx: Knex.Transaction, deadline: Deadline): void {
  const known = transactions.get(tx.client as object); // Knex types it as any
  if (known === undefined) throw new Error('a transaction that has not begun');
  known.deadline = deadline;
}

/** @throws {Unavailable} if it is too late to commit. */
export function refuseLate({ dueAt }: Deadline): void {
  // NaN counts as too late.
  if (performance.now() < dueAt - COMMIT_MS) return;
  throw tooLate();
}

export function tooLate(): Unavailable {
  return new Unavailable('postgres', { cause: new Error('no time is left before the answer') });
}

/** `refuseLate` for a statement of a transaction; statements outside of one have no deadline. */
export function refuseLateStatement(client: object): void {
  const deadline = transactions.get(client)?.deadline;
  if (deadline !== undefined) refuseLate(deadline);
}

/**
 * Postgres may be frozen when COMMIT is sent, and would execute it whenever it continues. So it checks its own clock
 * first, and divides by zero if it is too late.
 */
export function commitOf(client: object): string {
  const known = transactions.get(client);
  if (known?.deadline === undefined || known.deadline.dueAt === Infinity) return 'COMMIT;';
  const latest = known.deadline.dueAt - COMMIT_MS + known.aheadMs;
  return `select 1 / (extract(epoch from clock_timestamp()) * 1000 < ${latest.toFixed(3)})::int; COMMIT;`;
}

/** Whether a COMMIT has divided by zero. */
export function isLate(error: unknown): boolean {
  return codeOf(error) === '22012';
}
