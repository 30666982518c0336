import type { Knex } from 'knex';
import { isConnectionLost } from './faults.ts';

/** How long, and how often, Postgres is asked for the outcome of a transaction. */
const ASK_MS = 1500;
const ASK_AGAIN_MS = 50;

/**
 * Whether a transaction was committed although its COMMIT failed with `error`. A connection that broke during COMMIT
 * leaves that open; Postgres knows it (`pg_xact_status`, PostgreSQL, "System Information Functions") and is asked
 * over another connection. `false` also when it did not answer in time.
 */
export async function wasCommitted(db: Knex, transactionId: string, error: unknown): Promise<boolean> {
  if (!isConnectionLost(error)) return false;
  const deadline = performance.now() + ASK_MS;
  for (;;) {
    const status = await statusOf(db, transactionId);
    // Its backend may not have noticed yet that the client is gone.
    if (status !== undefined && status !== 'in progress') return status === 'committed';
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** `undefined` while Postgres does not answer. */
async function statusOf(db: Knex, transactionId: string): Promise<string | null | undefined> {
  try {
    const { rows } = await db.raw<{ rows: { status: string | null }[] }>(
      'select pg_xact_status(?::xid8) as status',
      [transactionId],
    );
    return rows[0]?.status;
  } catch {
    return undefined;
  }
}
