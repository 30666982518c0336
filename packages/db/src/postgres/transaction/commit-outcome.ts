import type { Knex } from 'knex';
import { isConnectionLost } from '../faults.ts';
import { TIMELINE } from './timeline.ts';
import type { TransactionName } from './transaction-deadline.ts';

/** How long, and how often, Postgres is asked for the outcome of a transaction. */
const ASK_MS = 1500;
const ASK_AGAIN_MS = 50;

/**
 * Whether a transaction was committed although its COMMIT failed with `error`. A connection that broke during COMMIT
 * leaves that open; Postgres knows it (`pg_xact_status`, PostgreSQL, "System Information Functions") and is asked
 * over another connection. `false` also when it did not answer in time, when no synchronous standby has confirmed it by then,
 * or when another server has taken over, where the number may be that of another transaction.
 */
export async function wasCommitted(db: Knex, name: TransactionName, error: unknown): Promise<boolean> {
  if (!isConnectionLost(error)) return false;
  const deadline = performance.now() + ASK_MS;
  for (;;) {
    const found = await outcomeOf(db, name);
    // Its backend may not have noticed yet that the client is gone.
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

/** `undefined` while Postgres does not answer. */
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
 * Waits for the synchronous standbys as a commit does, and so for all that was committed before. A backend that was ended while
 * it waited has committed on its own server alone (syncrep.c), and the status does not tell. By itself a statement is a
 * transaction, which waits where it has written a record; nobody reads this one. A server that has taken over meanwhile
 * confirms nothing.
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
