import { mailDeliveries, mailSecrets, type ActivityCounter, type Db, type DueMail } from '@gatehouse/db';
import type { MailContent } from '@gatehouse/events';
import { shownCode, type Letter, type WriteMail } from '@gatehouse/mails';
import { NO_TRACING, recordUntilDone, spanning, Unavailable } from '@gatehouse/runtime';
import type { Log, Tracing } from '@gatehouse/runtime';
import { normalizeEmail } from '@gatehouse/schema';
import type { MailMetrics } from './mail-metrics.ts';
import type { OpenMail } from './record-mail.ts';
import { createSendSlots, type SendSlot } from './smtp/send-slot.ts';
import type { Refusal } from './smtp/smtp-refusal.ts';
import type { Mailer, SendResult } from './smtp/transport.ts';

export interface DeliveryDeps {
  db: Db;
  openMail: OpenMail;
  send: Mailer['send'];
  writeMail: WriteMail;
  log: Log;
  metrics: MailMetrics;
  activity: ActivityCounter;
  tracing?: Tracing | undefined;
}

/** The stored reason of mails that wait for the mail server, by which they are found when it is back. */
export const UNREACHABLE = 'the mail server cannot be reached';
/** What precedes the server's reason instead, if it is reached and refuses our sender. */
export const SENDER_REFUSED = 'the mail server refuses our emails';

/**
 * Delivers a claimed mail in steps: open, check, write, send, mark. The process may die after each step: another worker
 * then starts again. Only a crash between sending and marking sends a mail twice, with the same Message-ID.
 *
 * @throws {Unavailable} if Postgres is down: the mail is due again when its hold ends.
 */
export function createDeliverMail(deps: DeliveryDeps): (mail: DueMail) => Promise<void> {
  const { tracing = NO_TRACING, log, metrics } = deps;
  const sendSlots = createSendSlots();

  return async (mail) => {
    const { id, kind, traceId, tries, eventTime, traceparent } = mail;
    // Continues the trace that requested the mail, instead of starting a new trace with a link to it.
    const attributes = { 'gatehouse.mail.kind': kind };
    const span = tracing.resume('mail deliver', 'consumer', traceparent ?? undefined, attributes);
    const slot = sendSlots.newSlot();
    await spanning(tracing, span, async () => {
      try {
        const result = await attempt(deps, mail, slot);
        span?.set({ 'gatehouse.mail.result': result.status });
        metrics.count(kind, await settle(deps, mail, result), eventTime);
        log.info('email processed', {
          eventId: id,
          kind,
          traceId: traceId ?? undefined,
          tries,
          result: result.status,
          ...(result.status !== 'sent' && { reason: result.reason }),
        });
      } finally {
        slot.release();
      }
    });
  };
}

async function attempt(deps: DeliveryDeps, mail: DueMail, slot: SendSlot): Promise<SendResult> {
  try {
    return await send(deps, mail, slot);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    // A bug, which must not occupy a place forever: the mail is retried like one that is deferred.
    deps.log.error('failed to process an email, retrying', { eventId: mail.id, error });
    return { status: 'deferred', isOurs: false, reason: 'processing failed' };
  }
}

async function send(deps: DeliveryDeps, mail: DueMail, slot: SendSlot): Promise<SendResult> {
  const { id, kind, accountId, sealed } = mail;
  const content = deps.openMail(id, kind, sealed);
  if (typeof content === 'string') return refused(content);
  const to = normalizeEmail(content.Email);
  if (to === undefined) return refused('invalid email address');
  const dead = await mailSecrets.findInvalidSecret(deps.db, { id, accountId, content });
  if (dead !== undefined) return refused(`the ${dead} is no longer valid`);
  let letter: Letter;
  try {
    letter = deps.writeMail(kind, content);
  } catch {
    // This is our own bug: the mail is parked so that it can be retried after a fix.
    return refused('the email cannot be rendered');
  }
  const traceId = mail.traceId ?? undefined;
  return deps.send({ id, to, letter, traceId, secrets: secretsOf(content), slot });
}

async function settle({ db, activity }: DeliveryDeps, mail: DueMail, result: SendResult) {
  if (result.status === 'sent') {
    await recordUntilDone(() => mailDeliveries.markSent(db, mail));
    activity.count('mail.sent');
    return 'sent';
  }
  const afterSeconds = result.status === 'refused' ? undefined : waitAfter(failureOf(result), mail);
  if (afterSeconds === undefined) {
    const reason = result.status === 'refused' ? result.reason : `gave up: ${result.reason}`;
    await mailDeliveries.park(db, mail, reason);
    activity.count('mail.parked');
    return 'parked';
  }
  await mailDeliveries.markRetry(db, mail, { afterSeconds, error: errorOf(result) });
  return 'retried';
}

function errorOf({ status, isOurs, reason }: Refusal & { reason: string }): string {
  if (status !== 'unreachable') return reason;
  return isOurs ? `${SENDER_REFUSED}: ${reason}` : UNREACHABLE;
}

function secretsOf(content: MailContent): string[] {
  if ('Code' in content) return [content.Code, shownCode(content.Code)];
  if ('RestoreCode' in content && content.RestoreCode !== undefined) return [content.RestoreCode];
  if ('TakeBack' in content) return [content.TakeBack.Code];
  return 'InvitationToken' in content ? [content.InvitationToken] : [];
}

function refused(reason: string): SendResult {
  return { status: 'refused', isOurs: false, reason };
}

const HOUR = 3600;
const TRIES_MIN = 12;
const DEFERRED_SECONDS = [10, 30, 60, 120, 300, 600, 1200, 1800, HOUR];
/**
 * If no mail can be sent, it is tried more often: this costs only one connection. The first delay is short: an outage
 * that is over before it is noticed delays mails by much less than ten seconds.
 */
const FAILURES = {
  deferred: {
    delaysSeconds: [...DEFERRED_SECONDS, 2 * HOUR, 4 * HOUR, 8 * HOUR],
    patienceSeconds: 16 * HOUR,
  },
  // A quota ends within a day, and somebody has to notice a rule that refuses us.
  ours: { delaysSeconds: DEFERRED_SECONDS, patienceSeconds: 72 * HOUR },
  unreachable: { delaysSeconds: [5, 30, 60, 120, 300], patienceSeconds: 72 * HOUR },
};

function failureOf({ status, isOurs }: Refusal): keyof typeof FAILURES {
  if (status === 'unreachable') return 'unreachable';
  return isOurs ? 'ours' : 'deferred';
}

/** The time to wait after the `tries`-th failure, in seconds; `undefined` when it is time to give up. */
export function waitAfter(
  failure: keyof typeof FAILURES,
  mail: { tries: number; ageSeconds: number },
  random = Math.random,
): number | undefined {
  const { delaysSeconds, patienceSeconds } = FAILURES[failure];
  if (mail.tries >= TRIES_MIN && mail.ageSeconds >= patienceSeconds) return undefined;
  const delay = delaysSeconds[Math.min(mail.tries, delaysSeconds.length) - 1] ?? 0;
  // Random, so that mails that failed together are not retried together.
  return delay * (0.75 + random() / 4);
}
