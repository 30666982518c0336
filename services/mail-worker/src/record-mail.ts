import { mailDeliveries, type ActivityCounter, type Db } from '@gatehouse/db';
import { mailKindOf, type AnyEvent, type Outcome } from '@gatehouse/events';
import type { Log } from '@gatehouse/runtime';
import { mayBeDeleted } from './forget-mails.ts';
import type { MailMetrics } from './mail-metrics.ts';
import type { OpenMail } from './open-mail.ts';

export interface RecordDeps {
  db: Db;
  openMail: OpenMail;
  /** How many days the records of sent mails are kept. */
  keepDays: number;
  log: Log;
  metrics: MailMetrics;
  activity: ActivityCounter;
  /** Called when a mail was recorded that is due. */
  onRecorded(): void;
}

const TOO_OLD = 'the event is too old: its email may have been sent before';

/** Creates the handler of events: it records the mail of each. */
export function createRecordMail(
  deps: RecordDeps,
): (event: AnyEvent, traceparent?: string) => Promise<Outcome> {
  const { db, openMail, keepDays, log, metrics, activity, onRecorded } = deps;
  return async (event, traceparent = event.traceparent) => {
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
