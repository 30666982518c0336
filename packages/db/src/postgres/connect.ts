import knex, { type Knex } from 'knex';
import { faultOf, Gauge, NO_TRACING } from '@gatehouse/runtime';
import type { Deadline, Lifecycle, Metrics, Span, Tracing } from '@gatehouse/runtime';
import { runAfterCommit, wasCommitted } from './transaction/commit.ts';
import { translate } from './faults.ts';
import { PostgresClient } from './postgres-client.ts';
import { readPostgresUrl, type DatabaseSettings } from './server/postgres-url.ts';
import { preparingClient } from './statement/preparing-client.ts';
import {
  beginStatement,
  recordStatements,
  tracedTransaction,
  traceWith,
} from './statement/traced-statements.ts';
import { nameOf, refuseLate, setDeadline, type TransactionName } from './transaction/transaction-deadline.ts';

export type Db = Knex;

export type Executor = Knex | Knex.Transaction;

/** Functions that write for a request require it, because only `inTransaction` creates one, with its deadline. */
export type Transaction = Knex.Transaction;

export type Binding = string | number | boolean | Date | Buffer | null | readonly unknown[];

/** How long Postgres lets one of our statements run, and how long a transaction may wait for its next statement. */
export const STATEMENT_BOUNDS = { statement_timeout: 2200, idle_in_transaction_session_timeout: 10_000 };

/**
 * Opens the pool. Every wait is limited, which by default would take 8 to 60 s if Postgres is gone: 1500 ms for a
 * connection, 2200 ms for a statement on the server and 2500 ms on the client, so that a request can still answer.
 * `hasLongTimeouts`, for migrations and commands: waits half a minute for Postgres to start, and statements have no
 * time-outs. `prepares` names frequent statements, so that each connection plans them once.
 *
 * @throws {ConfigError} if the URL requests TLS without verifying the certificate.
 */
export function connectDb(options: {
  url: string;
  /** The CA certificates that may sign the server's certificate, as PEM; by default, those that Node trusts. */
  ca?: string | undefined;
  applicationName: string;
  poolMax: number;
  prepares?: boolean;
  hasLongTimeouts?: boolean;
  tracing?: Tracing | undefined;
}): Db {
  const hasLongTimeouts = options.hasLongTimeouts === true;
  const { statement_timeout, idle_in_transaction_session_timeout } = STATEMENT_BOUNDS;
  const bounds = hasLongTimeouts ? {} : { statement_timeout, query_timeout: 2500 };
  const db = knex({
    client: options.prepares === true ? preparingClient() : PostgresClient,
    connection: {
      ...readPostgresUrl(options.url, options.ca),
      application_name: options.applicationName,
      connectionTimeoutMillis: hasLongTimeouts ? 10_000 : 1500,
      ...bounds,
      idle_in_transaction_session_timeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    },
    pool: {
      min: 0,
      max: options.poolMax,
      acquireTimeoutMillis: hasLongTimeouts ? 30_000 : 1500,
      createTimeoutMillis: hasLongTimeouts ? 11_000 : 1800,
      createRetryIntervalMillis: 100,
      idleTimeoutMillis: 30_000,
      propagateCreateError: false,
    },
    // The pool's own messages would bypass the log and its redaction.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
  traceWith(db, options.tracing ?? NO_TRACING);
  return db;
}

export function openDb(
  service: string,
  settings: DatabaseSettings,
  { lifecycle, tracing }: { lifecycle: Lifecycle; tracing?: Tracing | undefined },
): Db {
  const db = connectDb({
    url: settings.DATABASE_URL,
    ca: settings.DATABASE_CA,
    applicationName: `gatehouse-${service}`,
    poolMax: settings.DATABASE_POOL_MAX,
    prepares: settings.DATABASE_PREPARE,
    tracing,
  });
  lifecycle.onStop(() => db.destroy());
  return db;
}

/**
 * Runs one statement with `?` parameters, or `:name` ones in an object, where `undefined` is null. `waitMs`: how long
 * to wait, if the transaction allows more time. @throws {Unavailable} if Postgres did not do it in time.
 */
export const query = Object.assign(run, {
  row: async <Row>(...statement: Statement): Promise<Row | undefined> => (await run<Row>(...statement))[0],

  only: async <Row>(...statement: Statement): Promise<Row> => sure(await query.row<Row>(...statement)),

  column: async <Value>(...statement: Statement) =>
    (await run<Record<string, Value>>(...statement)).flatMap((row) => Object.values(row)),

  /** The one column of the first row; `undefined` if there is none, or it is null. */
  value: async <Value>(...statement: Statement): Promise<Value | undefined> =>
    (await query.column<Value | null>(...statement))[0] ?? undefined,

  onlyValue: async <Value>(...statement: Statement) => sure(await query.value<Value>(...statement)),

  count: async (...statement: Statement): Promise<number> => (await run(...statement)).length,

  any: async (...statement: Statement): Promise<boolean> => (await run(...statement)).length > 0,
});

type Statement = Parameters<typeof run>;

function sure<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('a statement that always returns a row returned none');
  return found;
}

async function run<Row>(
  executor: Executor,
  sql: string,
  bindings: readonly Binding[] | Readonly<Record<string, Binding | undefined>> = [],
  { waitMs }: { waitMs?: number } = {},
): Promise<Row[]> {
  const span = beginStatement(executor, sql);
  try {
    const statement = executor.raw<{ rows: Row[] }>(sql, withNulls(bindings) as Knex.ValueDict);
    const result = await (waitMs === undefined ? statement : statement.options({ query_timeout: waitMs }));
    span?.end();
    return result.rows;
  } catch (error) {
    span?.end(faultOf(error));
    throw translate(error);
  }
}

function withNulls(bindings: Parameters<typeof run>[2] = []) {
  if (Array.isArray(bindings)) return bindings as readonly Binding[];
  return Object.fromEntries(Object.entries(bindings).map(([name, value]) => [name, value ?? null]));
}

/**
 * Runs `work` in a transaction, which is rolled back if it throws. Nothing slow belongs inside (hashing, HTTP, queues,
 * Redis), as it would hold a connection and locks. Nothing is committed after the deadline: the caller has been told
 * that it failed. `return rollBack(outcome)` rolls back and returns that, for a refusal after something was written.
 *
 * @throws {Unavailable} if Postgres did not do it in time, or the answer to COMMIT was lost and Postgres does not tell
 * the outcome.
 */
export function inTransaction<T>(db: Db, deadline: Deadline, work: Work<T>): Promise<T> {
  return tracedTransaction(db, (span) => runTransaction(db, deadline, work, span));
}

type Work<T> = (tx: Knex.Transaction, rollBack: (outcome: T) => never) => Promise<T>;

async function runTransaction<T>(db: Db, deadline: Deadline, work: Work<T>, span: Span | undefined) {
  let done: { result: T; name: TransactionName | undefined; tx: Transaction } | undefined;
  let undone: { outcome: T; signal: Error } | undefined;
  const rollBack = (outcome: T): never => {
    undone = { outcome, signal: new Error('the transaction is to be rolled back') };
    throw undone.signal;
  };
  refuseLate(deadline);
  try {
    await db.transaction(async (tx) => {
      setDeadline(tx, deadline);
      recordStatements(tx, span);
      const result = await work(tx, rollBack);
      refuseLate(deadline);
      done = { result, name: nameOf(tx), tx };
    });
  } catch (error) {
    if (undone !== undefined && error === undone.signal) return undone.outcome;
    if (done?.name === undefined || !(await wasCommitted(db, done.name, error))) throw translate(error);
  }
  if (done === undefined) throw new Error('a transaction that was committed has done nothing');
  runAfterCommit(done.tx);
  return done.result;
}

interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

export function measurePool(db: Db, metrics: Metrics): void {
  const { pool } = db.client as { pool: Pool }; // knex types its client as any
  const connections = new Gauge({
    name: 'gatehouse_db_connections',
    help: 'Connections to Postgres in use and idle, and requests that wait for one',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'used' }, pool.numUsed());
      this.set({ state: 'idle' }, pool.numFree());
      this.set({ state: 'waiting' }, pool.numPendingAcquires());
    },
  });
  metrics.registerMetric(connections);
}
