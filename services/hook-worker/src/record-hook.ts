import { hookDeliveries, type Db } from '@gatehouse/db';
import type { AnyEvent, Outcome } from '@gatehouse/events';
import { APP_END_REASONS } from '@gatehouse/schema';

/** Creates the handler of events: it records a delivery of each for every webhook that wants it. */
export function createRecordHook(deps: {
  db: Db;
  onRecorded(): void;
}): (event: AnyEvent, traceparent?: string) => Promise<Outcome> {
  return async (event, traceparent = event.traceparent) => {
    // Its tries continue the trace of the message.
    const traced = traceparent === undefined ? event : { ...event, traceparent };
    const count = await hookDeliveries.record(deps.db, traced, bodyOf(event));
    if (count > 0) deps.onRecorded();
    return { kind: 'done' };
  };
}

/**
 * The event as published, without what is encrypted for the mail worker, and without a reason that an administrator typed:
 * it may be about a person, and must not outlive the account here or elsewhere.
 */
function bodyOf(event: AnyEvent): string {
  const { data } = event;
  const isTyped =
    'Reason' in data &&
    event.type !== 'webhook.disabled' &&
    !APP_END_REASONS.some((one) => one === data.Reason);
  const told = { ...data, Mail: undefined, ...(isTyped && { Reason: undefined }) };
  return JSON.stringify({ ...event, data: told });
}

const BATCH = 500;
/** The maximum per turn, so that a first turn with years of deliveries does not delay current ones. */
const BATCHES_MAX = 40;

/** Deletes the records of deliveries that ended long ago or are too late now. Must be called every few minutes. */
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
