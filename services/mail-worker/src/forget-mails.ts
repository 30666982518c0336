import { mailDeliveries, type Db } from '@gatehouse/db';

/** Operators need time to look at parked mails, even if sent mails are forgotten sooner. */
const PARKED_KEEP_DAYS_MIN = 90;
const BATCH = 500;
const DAY_MS = 24 * 3600 * 1000;
/** The maximum difference between our clock and that of the database. */
const SLACK_MS = 3600 * 1000;
/** The maximum per turn, so that a first turn with years of mails does not delay current mails. */
const BATCHES_MAX = 40;

/** Deletes the records of mails that were sent or parked long ago. Must be called every few minutes. */
export async function forgetMails(db: Db, keepDays: number, batch = BATCH): Promise<void> {
  for (const [status, days] of [
    ['Sent', keepDays],
    ['Parked', Math.max(keepDays, PARKED_KEEP_DAYS_MIN)],
  ] as const) {
    for (let turn = 0; turn < BATCHES_MAX; turn += 1) {
      if ((await mailDeliveries.deleteOld(db, { status, keepDays: days, max: batch })) < batch) break;
    }
  }
}

/**
 * Whether the record of an event's mail, had it been sent, could already be deleted. Ids of version 7 begin with 48
 * bits of milliseconds since the epoch (RFC 9562 §5.7). The id cannot be forged, because sealed content can only be
 * opened with the id of its own event.
 */
export function mayBeDeleted(eventId: string, keepDays: number): boolean {
  const madeAt = Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
  return Date.now() - madeAt > keepDays * DAY_MS - SLACK_MS;
}
