import { NO_TRACING, spanning, type Span, type Tracing } from '@gatehouse/runtime';
import type { Knex } from 'knex';

const tracings = new WeakMap<object, Tracing>();
/** The spans and statements of traced transactions, by the client that Knex uses for each. */
const recorded = new WeakMap<object, { span: Span; statements: string[] }>();

const STATEMENTS_MAX = 40;
const POSTGRES = { 'db.system.name': 'postgresql' };

export function traceWith(db: Knex, tracing: Tracing): void {
  if (tracing !== NO_TRACING) tracings.set(db, tracing);
}

/** Runs a transaction as a span of the current trace, with the names of its statements. */
export function tracedTransaction<T>(db: Knex, work: (span?: Span) => Promise<T>): Promise<T> {
  const tracing = tracings.get(db);
  return tracing === undefined
    ? work()
    : spanning(tracing, tracing.part('transaction', 'client', POSTGRES), work);
}

/** Runs `work` as a part of a trace whose context was stored in the database. */
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

export function recordStatements(tx: Knex.Transaction, span: Span | undefined): void {
  if (span !== undefined) recorded.set(tx.client as object, { span, statements: [] }); // Knex types it as any
}

/** Outside of a transaction, it gets a span that the caller ends; inside, its name is added to the transaction's. */
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

/** For events: the trace context of the transaction in which they are written, if it is traced. */
export function traceparentOf(tx: Knex): string | undefined {
  return recorded.get(tx.client as object)?.span.traceparent; // Knex types it as any
}

/** The tables that our SQL reads and writes; none follows `for update` and `do update`. */
const PART =
  /\b(?:(insert) into|(delete) from|(?<!\bfor |\bdo )(update)|(select)\b(?:(?!\b(?:select|update|insert|delete)\b)[^;])*?\bfrom) +([a-z_][a-z_0-9]*)/g;
const PARTS_MAX = 4;

/** The name of a statement in traces, such as `update session insert outbox`: only table names of its text. */
export function statementName(sql: string): string {
  const parts: string[] = [];
  for (const [, insert, remove, update, select, table = ''] of sql.replaceAll(/\s+/g, ' ').matchAll(PART)) {
    const part = `${insert ?? remove ?? update ?? select ?? ''} ${table}`;
    if (!parts.includes(part)) parts.push(part);
    if (parts.length === PARTS_MAX) break;
  }
  return parts.length === 0
    ? (/^\s*([a-z]{1,20})\b/i.exec(sql)?.[1] ?? 'statement').toLowerCase()
    : parts.join(' ');
}
