import { inTransaction, personPurges, type Db } from '@gatehouse/db';
import { withinSeconds } from '@gatehouse/runtime';

/** How many faces one transaction removes: what a statement can do well within its time. */
export const FACES_AT_ONCE = 1000;

/**
 * Removes the faces that are left of deleted persons. Nobody sees them any more: they had too many to go within
 * the request. To be called every few seconds; any number of processes may at once.
 */
export async function purgeFaces(db: Db, isStopping: () => boolean): Promise<void> {
  let isMore = true;
  while (isMore && !isStopping()) {
    isMore = await inTransaction(db, withinSeconds(10), async (tx) => {
      const personId = await personPurges.takeOne(tx);
      if (personId === undefined) return false;
      const removed = await personPurges.removeFaces(tx, personId, FACES_AT_ONCE);
      if (removed < FACES_AT_ONCE) await personPurges.remove(tx, personId);
      return true;
    });
  }
}
