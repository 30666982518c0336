import type { Knex } from 'knex';
import type pg from 'pg';
import { Unavailable } from '@gatehouse/runtime';
import { isConnectionLost } from '../faults.ts';
import type { TransactionName } from './transaction-deadline.ts';

/** A promoted standby begins a new one (PostgreSQL, "Timelines"), and may reuse ids of transactions that it lacks. */
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
 * Whether a transaction was committed although COMMIT failed. If the connection broke, Postgres knows
 * (`pg_xact_status`, PostgreSQL, "System Information Functions"), asked over another one. `false` also if it did not
 * answer in time, if no synchronous standby has confirmed the commit, or if another server has taken over, where the id
 * may be another's.
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
  hasStandbys: boolean;
}

const HAS_STANDBYS = `current_setting('synchronous_standby_names') <> '' as "hasStandbys"`;

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
 * Waits for the synchronous standbys like a commit, and thereby for all before: a backend that was terminated while it
 * waited has committed on its own server only (syncrep.c), which the status does not show. It writes a record that
 * nobody reads, as only a transaction that has written waits. A server that has taken over confirms nothing.
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
 * A commit whose wait for a synchronous standby is cancelled still succeeds, with a warning: it would be lost with the
 * server. Its text depends on the locale, the name of the routine does not (syncrep.c).
 */
const UNREPLICATED = 'SyncRepWaitForLSN';

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
