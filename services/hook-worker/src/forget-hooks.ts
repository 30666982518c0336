import { hookDeliveries, type Db } from '@gatehouse/db';

const BATCH = 500;
/** The maximum per turn, so that a first turn with years of deliveries does not delay current ones. */
const BATCHES_MAX = 40;

/** Deletes the records of deliveries that were sent or parked long ago. Must be called every few minutes. */
export async function forgetHooks(db: Db, keepDays: number, batch = BATCH): Promise<void> {
  for (const status of ['Sent', 'Parked'] as const) {
    for (let turn = 0; turn < BATCHES_MAX; turn += 1) {
      if ((await hookDeliveries.deleteOld(db, { status, keepDays, max: batch })) < batch) break;
    }
  }
}
