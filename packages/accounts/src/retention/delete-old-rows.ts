import { inTransaction, oldRows, type Db, type RetainedTable } from '@gatehouse/db';
import { withinSeconds } from '@gatehouse/runtime';

/** How many rows one transaction deletes. */
const BATCH = 1000;

/**
 * Deletes the rows of a table that are older than `keepDays`, up to `batchesMax` times a thousand; calls `deleted` with
 * the number after each batch. Call it regularly, in any number of processes: each takes rows that no other process has
 * locked.
 */
export async function deleteOldRows(
  db: Db,
  table: RetainedTable,
  options: {
    keepDays: number;
    batchesMax: number;
    deleted: (count: number) => void;
    isStopping: () => boolean;
  },
): Promise<void> {
  const { keepDays, batchesMax, deleted, isStopping } = options;
  for (let batch = 0; batch < batchesMax && !isStopping(); batch += 1) {
    const count = await inTransaction(db, withinSeconds(10), (tx) =>
      oldRows.deleteOldest(tx, table, { keepDays, max: BATCH }),
    );
    if (count === 0) return;
    deleted(count);
  }
}
