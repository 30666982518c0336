import { hookDeliveries, type Db } from '@gatehouse/db';

const BATCH = 500;
/** The maximum per turn, so that a first turn with years of deliveries does not delay current ones. */
const BATCHES_MAX = 40;

/**
 * Deletes the records of deliveries that were sent or parked long ago, and of those that were due while no worker ran and
 * are too late now. Must be called every few minutes.
 */
export async function forgetHooks(db: Db, keepDays: number, batch = BATCH): Promise<void> {
  const deletions = [
    () => hookDeliveries.deleteOld(db, { status: 'Sent', keepDays, max: batch }),
    () => hookDeliveries.deleteOld(db, { status: 'Parked', keepDays, max: batch }),
    () => hookDeliveries.deleteLateLogouts(db, batch),
  ];
  for (const deleteBatch of deletions) {
    for (let turn = 0; turn < BATCHES_MAX; turn += 1) {
      if ((await deleteBatch()) < batch) break;
    }
  }
}
