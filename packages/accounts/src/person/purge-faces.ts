import { inTransaction, personPurges, type Db } from '@gatehouse/db';
import { withinSeconds } from '@gatehouse/runtime';

/** How many faces one transaction removes: an amount that fits well within a statement's time-out. */
export const FACES_AT_ONCE = 1000;

/**
 * Removes the remaining faces of deleted persons. They are no longer visible, but were too many to remove within the
 * request. Call it every few seconds; any number of processes may do so at once.
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
