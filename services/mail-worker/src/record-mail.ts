import { mailContents, mailKindOf } from '@gatehouse/events';
import type { AnyEvent, MailContent, MailKind, Outcome, Unseal } from '@gatehouse/events';
import { compile, type Check } from '@gatehouse/schema';
import { mailDeliveries, type ActivityCounter, type Db } from '@gatehouse/db';
import type { Log } from '@gatehouse/runtime';
import type { MailMetrics } from './mail-metrics.ts';

/** Unseals the content of a mail and validates it; a string says why that fails. */
export type OpenMail = (eventId: string, kind: MailKind, sealed: string) => MailContent | string;

export function createOpenMail(unseal: Unseal): OpenMail {
  const checks = Object.fromEntries(
    Object.entries(mailContents).map(([kind, schema]) => [kind, compile(schema, { unknownFields: 'drop' })]),
  ) as Record<MailKind, Check>; // the same keys

  return (eventId, kind, sealed) => {
    const value = unseal.open(eventId, sealed);
    if (value === undefined) return 'its content cannot be opened: was it sealed with another MAIL_KEY?';
    const problems = checks[kind](value);
    if (problems !== undefined)
      return `its content is not that of a mail: ${problems.map((one) => `${one.pointer} ${one.message}`).join('; ')}`;
    // The content was validated against the schema of its kind, which is its type.
    return value as MailContent;
  };
}

const TOO_OLD = 'the event is too old: its email may have been sent before';

/** `onRecorded` is called when a mail was recorded that is due. */
export function createRecordMail(deps: {
  db: Db;
  openMail: OpenMail;
  keepDays: number;
  log: Log;
  metrics: MailMetrics;
  activity: ActivityCounter;
  onRecorded(): void;
}) {
  const { db, openMail, keepDays, log, metrics, activity, onRecorded } = deps;
  return async (event: AnyEvent, traceparent = event.traceparent): Promise<Outcome> => {
    const kind = mailKindOf(event.type);
    if (kind === undefined) return { kind: 'dead', reason: 'events of this type send no email' };
    if (!('Mail' in event.data) || event.data.Mail === undefined) return { kind: 'done' };
    const content = openMail(event.id, kind, event.data.Mail);
    const isOpen = typeof content !== 'string';
    const fault = mayBeDeleted(event.id, keepDays) ? TOO_OLD : undefined;
    const isRecorded = await mailDeliveries.record(db, {
      // Its attempts continue the trace of the message.
      event: traceparent === undefined ? event : { ...event, traceparent },
      kind,
      accountId: event.data.UserId,
      // When an account is erased, its address must not be stored again.
      email: isOpen && kind !== 'account-erased' ? content.Email : undefined,
      codeId: isOpen && 'CodeId' in content ? content.CodeId : undefined,
      fault,
    });
    if (!isRecorded) {
      const isOther = await mailDeliveries.isOfOtherMail(db, event);
      return isOther ? { kind: 'dead', reason: 'another email has the same ID' } : { kind: 'done' };
    }
    if (fault === undefined) onRecorded();
    else {
      metrics.count(kind, 'parked', event.time);
      activity.count('mail.parked');
      log.info('email parked', { eventId: event.id, kind, traceId: event.traceid, reason: fault });
    }
    return { kind: 'done' };
  };
}

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
 * Whether the record of an event’s mail, had it been sent, could already be deleted: ids of version 7 begin with 48
 * bits of milliseconds since the epoch (RFC 9562 §5.7). The id cannot be forged, because sealed content opens only with
 * the id of its own event.
 */
function mayBeDeleted(eventId: string, keepDays: number): boolean {
  const madeAt = Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
  return Date.now() - madeAt > keepDays * DAY_MS - SLACK_MS;
}
