import type { Knex } from 'knex';
import type pg from 'pg';
import { Unavailable } from '@gatehouse/runtime';
import { isConnectionLost } from '../faults.ts';
import type { TransactionName } from './transaction-deadline.ts';

/**
 * The history that a server writes. A promoted standby begins a new one (PostgreSQL, "Timelines"), in which it may
 * reuse the ids of transactions that it never received.
 */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';

interface TimelineResult {
  rows: { timeline: string }[];
}

const timelines = new WeakMap<pg.Client, string>();

/** A server that cannot report its timeline is treated as having only one. */
export async function keepTimeline(connection: pg.Client): Promise<void> {
  const result = await connection.query(`select ${TIMELINE} as timeline`).catch(() => undefined);
  const timeline = (result as TimelineResult | undefined)?.rows[0]?.timeline;
  if (timeline !== undefined) timelines.set(connection, timeline);
}

export function timelineOf(connection: pg.Client): string | undefined {
  return timelines.get(connection);
}

/** For how long, and at which interval, Postgres is asked for the outcome of a transaction. */
const ASK_MS = 1500;
const ASK_AGAIN_MS = 50;

/**
 * Whether a transaction was committed although its COMMIT failed with `error`. If the connection broke during COMMIT,
 * the outcome is unknown to us; Postgres knows it (`pg_xact_status`, PostgreSQL, "System Information Functions") and is
 * asked over another connection. Also `false` if Postgres did not answer in time, if no synchronous standby has
 * confirmed the commit by then, or if another server has taken over, where the same transaction id may belong to
 * another transaction.
 */
export async function wasCommitted(db: Knex, name: TransactionName, error: unknown): Promise<boolean> {
  if (!isConnectionLost(error)) return false;
  const deadline = performance.now() + ASK_MS;
  for (;;) {
    const found = await outcomeOf(db, name);
    // The backend may not have noticed yet that its client has disconnected.
    if (found !== undefined && found.status !== 'in progress') {
      if (found.status !== 'committed' || !found.hasStandbys) return found.status === 'committed';
      if (await isConfirmed(db, name, deadline)) return true;
    }
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

interface Outcome {
  status: string | null;
  /** Whether commits wait for synchronous standbys. */
  hasStandbys: boolean;
}

const HAS_STANDBYS = `current_setting('synchronous_standby_names') <> '' as "hasStandbys"`;

/** `undefined` if Postgres does not answer. */
async function outcomeOf(db: Knex, { id, timeline }: TransactionName): Promise<Outcome | undefined> {
  try {
    const { rows } = await db.raw<{ rows: Outcome[] }>(
      timeline === undefined
        ? `select pg_xact_status(?::xid8) as status, ${HAS_STANDBYS}`
        : `select case when ${TIMELINE} = ? then pg_xact_status(?::xid8) end as status, ${HAS_STANDBYS}`,
      timeline === undefined ? [id] : [timeline, id],
    );
    return rows[0];
  } catch {
    return undefined;
  }
}

/**
 * Waits for the synchronous standbys like a commit does, and thereby for everything that was committed before. This is
 * needed because a backend that was terminated while it waited has committed only on its own server (syncrep.c), and
 * the status does not show that. The statement runs in its own transaction and writes a record that nobody reads, as
 * only a transaction that has written waits for standbys. A server that has taken over meanwhile confirms nothing.
 */
async function isConfirmed(db: Knex, { timeline }: TransactionName, deadline: number): Promise<boolean> {
  const left = Math.ceil(deadline - performance.now());
  if (left <= 0 || timeline === undefined) return false;
  try {
    const { rows } = await db
      .raw<{ rows: { at: string | null }[] }>(CONFIRM, [timeline])
      .options({ query_timeout: left });
    return typeof rows[0]?.at === 'string';
  } catch {
    return false;
  }
}

const CONFIRM = `select case when ${TIMELINE} = ? then pg_logical_emit_message(true, 'gatehouse', '') end as at`;

/**
 * If a commit that waits for a synchronous standby is cancelled, Postgres still reports success, with a warning that
 * the standby may not have the commit: it would be lost with the server. The text of the warning depends on the locale,
 * but the name of the routine does not (syncrep.c).
 */
const UNREPLICATED = 'SyncRepWaitForLSN';

/** Connections that received this warning. */
const warned = new WeakSet<pg.Client>();

export function watchReplicationWarnings(connection: pg.Client): void {
  connection.on('notice', ({ routine }) => {
    if (routine === UNREPLICATED) warned.add(connection);
  });
}

/** @throws {Unavailable} if no standby has confirmed what the connection has just committed. */
export function refuseUnreplicated(connection: pg.Client): void {
  if (!warned.delete(connection)) return;
  throw new Unavailable('postgres', { cause: new Error('no standby has confirmed it') });
}

/** Work to do after the commit of each transaction, by the client that Knex uses for it. */
const waiting = new WeakMap<object, (() => void)[]>();

/** Runs `work`, which must not throw, after the transaction is committed; never if it is not committed. */
export function afterCommit(tx: Knex.Transaction, work: () => void): void {
  const client = tx.client as object; // Knex types it as any
  const works = waiting.get(client) ?? [];
  waiting.set(client, [...works, work]);
}

export function runAfterCommit(tx: Knex.Transaction): void {
  const client = tx.client as object; // Knex types it as any
  for (const work of waiting.get(client) ?? []) work();
  waiting.delete(client);
}
