import { NO_TRACING, spanning, type Span, type Tracing } from '@gatehouse/runtime';
import type { Knex } from 'knex';
import { statementName } from './statement-name.ts';

/** The traces of each pool, by its Knex. */
const tracings = new WeakMap<object, Tracing>();
/** What the transactions that are recorded have done, by what Knex runs each with. */
const recorded = new WeakMap<object, { span: Span; statements: string[] }>();

const STATEMENTS_MAX = 40;
const POSTGRES = { 'db.system.name': 'postgresql' };

/** Has what this pool does appear in traces. */
export function traceWith(db: Knex, tracing: Tracing): void {
  if (tracing !== NO_TRACING) tracings.set(db, tracing);
}

/** Does a transaction’s work as a part of the trace, with the names of its statements. */
export function tracedTransaction<T>(db: Knex, work: (span?: Span) => Promise<T>): Promise<T> {
  const tracing = tracings.get(db);
  return tracing === undefined
    ? work()
    : spanning(tracing, tracing.part('transaction', 'client', POSTGRES), work);
}

/** Goes on with a trace that was kept in the database: does work, such as transactions, as a part of it. */
export function resumeTrace<T>(
  db: Knex,
  name: string,
  traceparent: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const tracing = tracings.get(db);
  return tracing === undefined
    ? work()
    : spanning(tracing, tracing.resume(name, 'internal', traceparent), work);
}

/** Keeps the names of a transaction’s statements for its span. */
export function recordStatements(tx: Knex.Transaction, span: Span | undefined): void {
  if (span !== undefined) recorded.set(tx.client as object, { span, statements: [] }); // Knex types it as any
}

/** Begins a statement: by itself it is a part of the trace, which its caller ends; in a transaction a name in that one’s span. */
export function beginStatement(executor: Knex, sql: string): Span | undefined {
  const transaction = recorded.get(executor.client as object); // Knex types it as any
  if (transaction === undefined) {
    const tracing = tracings.get(executor);
    if (tracing?.current() === undefined) return undefined;
    return tracing.part('query', 'client', { ...POSTGRES, 'db.query.summary': statementName(sql) });
  }
  if (transaction.statements.length < STATEMENTS_MAX) {
    transaction.statements.push(statementName(sql));
    transaction.span.set({ 'gatehouse.statements': transaction.statements });
  }
  return undefined;
}

/** For events: the transaction that they are written in, where it is recorded. */
export function traceparentOf(tx: Knex.Transaction): string | undefined {
  return recorded.get(tx.client as object)?.span.traceparent; // Knex types it as any
}
