import { inTransaction, type Db, type Transaction } from '@gatehouse/db';
import { createLimiter, QueueFull, Unavailable, type Deadline, type Limiter } from '@gatehouse/runtime';

/** The dependencies of reviews and reports of faces. */
export interface FaceDeps {
  db: Db;
  faceLimiter: Limiter;
}

/** Limits concurrent reviews, so that connections to Postgres remain for other requests. */
export function createFaceLimiter(): Limiter {
  return createLimiter({ width: 5, waitingMax: 1000, waitMs: 3000 });
}

/** The state with which the transaction began has changed: it is rolled back and run again. */
export class RetryTransaction extends Error {
  override name = 'RetryTransaction';
}

const ATTEMPTS_MAX = 5;

/**
 * Runs `work` in a transaction as soon as the limiter allows, and again whenever it throws `RetryTransaction`: locks
 * are taken in a fixed order, so if `work` finds that an earlier lock is missing, it has to start again.
 *
 * @throws {Unavailable} if it waited too long, or after a few attempts.
 */
export async function withTransactionRetry<T>(
  { db, faceLimiter }: FaceDeps,
  deadline: Deadline,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await faceLimiter(() => retried(db, deadline, work));
  } catch (error) {
    throw error instanceof QueueFull ? new Unavailable('postgres', { cause: error }) : error;
  }
}

async function retried<T>(db: Db, deadline: Deadline, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      return await inTransaction(db, deadline, work);
    } catch (error) {
      if (!(error instanceof RetryTransaction)) throw error;
    }
  }
  throw new Unavailable('postgres');
}
