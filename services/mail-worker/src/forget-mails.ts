import { mailAdmin, type Db } from '@gatehouse/db';

/** A parked mail is somebody's to look at, however soon sent ones are forgotten. */
const PARKED_KEEP_DAYS_MIN = 90;
const BATCH = 500;
const DAY_MS = 24 * 3600 * 1000;
/** Our clock and the database's may differ by so much. */
const SLACK_MS = 3600 * 1000;
/** Of one turn, so that a first turn over years of mails leaves room for the mails of now. */
const BATCHES_MAX = 40;

/** Deletes the records of mails that were sent, or parked, long ago. To be called every few minutes. */
export async function forgetMails(db: Db, keepDays: number, batch = BATCH): Promise<void> {
  for (const [status, days] of [
    ['Sent', keepDays],
    ['Parked', Math.max(keepDays, PARKED_KEEP_DAYS_MIN)],
  ] as const) {
    for (let turn = 0; turn < BATCHES_MAX; turn += 1) {
      if ((await mailAdmin.deleteOld(db, { status, keepDays: days, max: batch })) < batch) break;
    }
  }
}

/**
 * Whether the record of an event's mail, had it been sent, could be forgotten by now. Identifiers of version 7 begin
 * with 48 bits of milliseconds since the epoch (RFC 9562 §5.7), and what is sealed opens with its own event's alone.
 */
export function isForgettable(eventId: string, keepDays: number): boolean {
  const madeAt = Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
  return Date.now() - madeAt > keepDays * DAY_MS - SLACK_MS;
}
