import { createTurns, NoTurn, type Turns } from '@gatehouse/auth-core';
import { inTransaction, type Db, type Transaction } from '@gatehouse/db';
import { Unavailable, type Deadline } from '@gatehouse/runtime';

/** However many people review at once, connections to Postgres are left for everybody else. */
export function createFaceTurns(): Turns {
  return createTurns({ width: 5, waitingMax: 1000, waitMs: 3000 });
}

/** What the transaction began with does not hold any more; it is undone and begun anew. */
export class Again extends Error {
  override name = 'Again';
}

const ROUNDS_MAX = 5;

/**
 * Runs `work` in a transaction when its turn comes, anew when it throws `Again`: locks are taken in one order, so
 * that who finds under a lock that an earlier one is missing has to begin from the start.
 *
 * @throws {Unavailable} when its turn does not come, or after a few rounds.
 */
export async function inRounds<T>(
  { db, faceTurns }: { db: Db; faceTurns: Turns },
  deadline: Deadline,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await faceTurns(() => untilItHolds(db, deadline, work));
  } catch (error) {
    throw error instanceof NoTurn ? new Unavailable('postgres', { cause: error }) : error;
  }
}

async function untilItHolds<T>(
  db: Db,
  deadline: Deadline,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    try {
      return await inTransaction(db, deadline, work);
    } catch (error) {
      if (!(error instanceof Again)) throw error;
    }
  }
  throw new Unavailable('postgres');
}
