import { inTransaction, oldRows, type Db, type RetainedTable } from '@gatehouse/db';
import { withinSeconds } from '@gatehouse/runtime';

/** How many rows one transaction deletes. */
const BATCH = 1000;

/**
 * Deletes the rows of a table that are older than `keepDays`, up to `batchesMax` times a thousand of them; tells `deleted`
 * how many after each batch. To be called now and then, in any number of processes: each takes rows that nobody else has.
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
