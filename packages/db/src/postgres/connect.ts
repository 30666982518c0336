import knex, { type Knex } from 'knex';
import type { Deadline } from '@gatehouse/runtime';
import { runAfterCommit } from './after-commit.ts';
import { wasCommitted } from './commit-outcome.ts';
import { translate } from './faults.ts';
import { PostgresClient } from './postgres-client.ts';
import { readPostgresUrl } from './postgres-url.ts';
import { preparingClient } from './preparing-client.ts';
import { holdTo, refuseLate, transactionIdOf } from './transaction-deadline.ts';

/** The database with its pool of connections. */
export type Db = Knex;

/** Runs SQL: the database itself, or a transaction. */
export type Executor = Knex | Knex.Transaction;

/**
 * A transaction. Functions that write for a request take this type, as only `inTransaction` creates one, with its
 * deadline.
 */
export type Transaction = Knex.Transaction;

/** A parameter of a statement. */
export type Binding = string | number | boolean | Date | Buffer | null | readonly unknown[];

/**
 * Opens the pool. Every wait is bounded, as the defaults wait 8 to 60 s when Postgres is frozen or gone: 1.5 s for a
 * connection, then 2.2 s for a statement on the server and 2.5 s on the client, so that both together leave a request
 * time to answer. `isPatient`, for migrations, waits half a minute for a Postgres that is starting, and lifts the
 * bounds of statements, which wait for each other and may rewrite tables. `prepares` names the statements that come
 * often, so that each connection plans them once.
 *
 * @throws {ConfigError} when the URL asks for TLS without a check of the certificate.
 */
export function connectDb(options: {
  url: string;
  /** Who may sign the server's certificate, as PEM; without it the authorities that Node trusts. */
  ca?: string | undefined;
  applicationName: string;
  poolMax: number;
  prepares?: boolean;
  isPatient?: boolean;
}): Db {
  const isPatient = options.isPatient === true;
  const bounds = isPatient ? {} : { statement_timeout: 2200, query_timeout: 2500 };
  return knex({
    client: options.prepares === true ? preparingClient() : PostgresClient,
    connection: {
      ...readPostgresUrl(options.url, options.ca),
      application_name: options.applicationName,
      connectionTimeoutMillis: isPatient ? 10_000 : 1500,
      ...bounds,
      idle_in_transaction_session_timeout: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    },
    pool: {
      min: 0,
      max: options.poolMax,
      acquireTimeoutMillis: isPatient ? 30_000 : 1500,
      createTimeoutMillis: isPatient ? 11_000 : 1800,
      createRetryIntervalMillis: 100,
      idleTimeoutMillis: 30_000,
      propagateCreateError: false,
    },
    // The pool's own chatter would bypass the log and its redaction.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}

/**
 * Runs one statement with `?` parameters (or `:name` ones, given as an object) and returns its rows.
 *
 * @throws {Unavailable} when Postgres did not do it in time.
 */
export async function query<Row>(
  executor: Executor,
  sql: string,
  bindings: readonly Binding[] | Readonly<Record<string, Binding | undefined>> = [],
): Promise<Row[]> {
  try {
    const result = await executor.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict);
    return result.rows;
  } catch (error) {
    throw translate(error);
  }
}

/**
 * Runs `work` in a transaction: all of it, or nothing when it throws. Nothing slow belongs inside (hashing, HTTP,
 * queues, Redis), as it would hold a connection and locks. Nothing takes effect after the deadline: the caller has
 * been told by then that it was not done. `return rollBack(outcome)` rolls everything back and makes that the outcome:
 * for a refusal after something was written.
 *
 * @throws {Unavailable} when Postgres did not do it in time. If the answer to COMMIT was lost, Postgres is asked for
 * the outcome; an unknown outcome counts as a failure.
 */
export async function inTransaction<T>(
  db: Db,
  deadline: Deadline,
  work: (tx: Knex.Transaction, rollBack: (outcome: T) => never) => Promise<T>,
): Promise<T> {
  let done: { result: T; id: string | undefined; tx: Transaction } | undefined;
  let undone: { outcome: T; signal: Error } | undefined;
  const rollBack = (outcome: T): never => {
    undone = { outcome, signal: new Error('the transaction is to be rolled back') };
    throw undone.signal;
  };
  refuseLate(deadline);
  try {
    await db.transaction(async (tx) => {
      holdTo(tx, deadline);
      const result = await work(tx, rollBack);
      refuseLate(deadline);
      done = { result, id: transactionIdOf(tx), tx };
    });
  } catch (error) {
    if (undone !== undefined && error === undone.signal) return undone.outcome;
    if (done?.id === undefined || !(await wasCommitted(db, done.id, error))) throw translate(error);
  }
  if (done === undefined) throw new Error('a transaction that was committed has done nothing');
  runAfterCommit(done.tx);
  return done.result;
}
