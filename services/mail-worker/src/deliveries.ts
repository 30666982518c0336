import { mailDeliveries, mailSecrets, type ActivityCounter, type Db, type Delivery } from '@gatehouse/db';
import { mailKindOf, type AnyEvent, type MailContent, type Outcome, type Unseal } from '@gatehouse/events';
import { shownCode, type WriteMail } from '@gatehouse/mails';
import { NO_TRACING, spanning, type Log, type Span, type Tracing } from '@gatehouse/runtime';
import { normalizeEmail } from '@gatehouse/schema';
import { waitAfter } from './backoff.ts';
import { createSendSlots, type SendSlot } from './smtp/send-slot.ts';
import type { MailMetrics } from './mail-metrics.ts';
import { mayBeDeleted } from './forget-mails.ts';
import { createMailComposer, type ComposedMail } from './compose-mail.ts';
import type { Mailer, SendResult } from './smtp/transport.ts';

export interface DeliveryDeps {
  db: Db;
  unseal: Unseal;
  mailer: Mailer;
  writeMail: WriteMail;
  /** How many days the records of sent mails are kept. */
  keepDays: number;
  log: Log;
  metrics: MailMetrics;
  /** Counts mails for the statistics. */
  activity: ActivityCounter;
  tracing?: Tracing | undefined;
  /** Called when the mail server accepts no mails at all. */
  onUnreachable(): void;
}

/** How long a mail stays reserved for a worker that has died. A running worker extends the reservation in time. */
export const HOLD_SECONDS = 6;
/**
 * The reason that is stored for mails that wait for the mail server, so that they can be found when it is available
 * again.
 */
export const UNREACHABLE = 'the mail server cannot be reached';
const TOO_OLD = 'the event is too old: its email may have been sent before';

const RECORD_AGAIN_MS = 500;
const RECORD_AGAIN_MAX = 600;

/**
 * Processes the mail of an event in steps: record, claim, check, write, send, mark. The process may die after each
 * step: the next delivery of the event, or the sweep, continues from what is recorded. Only a crash between sending
 * and marking sends a mail twice, with the same Message-ID.
 */
export function createDeliver(
  deps: DeliveryDeps,
  held: Set<Delivery>,
): (event: AnyEvent, traceparent?: string) => Promise<Outcome> {
  const { tracing = NO_TRACING } = deps;
  const deliver = createDelivery(deps, held);
  return (event, traceparent = event.traceparent) => {
    // Continues the trace that requested the mail, instead of starting a new trace with a link to it.
    const span = tracing.resume('mail deliver', 'consumer', traceparent, {
      'messaging.system': 'rabbitmq',
      'messaging.operation.type': 'process',
      'gatehouse.event': event.type,
    });
    return spanning(tracing, span, () => deliver(event, span));
  };
}

function createDelivery(
  deps: DeliveryDeps,
  held: Set<Delivery>,
): (event: AnyEvent, span: Span | undefined) => Promise<Outcome> {
  const { db, unseal, writeMail, keepDays, log } = deps;
  const composeMail = createMailComposer(unseal, writeMail);
  const sendSlots = createSendSlots();

  return async (event, span) => {
    const kind = mailKindOf(event.type);
    if (kind === undefined) return { kind: 'dead', reason: 'events of this type send no email' };
    if (!('Mail' in event.data) || event.data.Mail === undefined) return { kind: 'done' };
    const mail = composeMail(event.id, kind, event.data.Mail);
    const accountId = event.data.UserId;
    // When an account is erased, its address must not be stored again.
    const isKept = typeof mail !== 'string' && kind !== 'account-erased';
    const email = isKept ? mail.content.Email : undefined;
    const codeId = typeof mail !== 'string' && 'CodeId' in mail.content ? mail.content.CodeId : undefined;
    const found = { event, kind, accountId, email, codeId };
    const recorded = await mailDeliveries.record(db, found, HOLD_SECONDS);
    const claim =
      recorded === undefined
        ? await mailDeliveries.claim(db, event, HOLD_SECONDS)
        : ({ kind: 'claimed', delivery: recorded } as const);
    if (claim.kind !== 'claimed') return outcomeOf(claim);
    const { delivery } = claim;
    held.add(delivery);
    const slot = sendSlots.newSlot();
    try {
      // Only for mails recorded just now: a mail that an operator retries was recorded earlier.
      const fault = recorded !== undefined && mayBeDeleted(event.id, keepDays) ? TOO_OLD : mail;
      const result =
        typeof fault === 'string'
          ? refused(fault)
          : await attempt(deps, event, { accountId, mail: fault, slot });
      span?.set({ 'gatehouse.mail.result': result.status });
      const outcome = await settle(deps, delivery, result);
      const facts = { eventId: event.id, kind, traceId: event.traceid, tries: delivery.tries };
      log.info('email processed', {
        ...facts,
        result: result.status,
        ...(result.status !== 'sent' && { reason: result.reason }),
      });
      deps.metrics.count(kind, outcome, event.time);
      return outcome;
    } finally {
      slot.release();
      held.delete(delivery);
    }
  };
}

/** The outcome for an event whose mail cannot be claimed now. */
function outcomeOf(refusal: mailDeliveries.Refusal): Outcome {
  switch (refusal.kind) {
    case 'other':
      return { kind: 'dead', reason: 'another email has the same ID' };
    case 'waiting':
      return { kind: 'retry', afterSeconds: refusal.seconds, reason: 'not due yet' };
    case 'over':
      return { kind: 'done' };
  }
}

async function attempt(
  deps: DeliveryDeps,
  event: AnyEvent,
  { accountId, mail, slot }: { accountId: string; mail: ComposedMail; slot: SendSlot },
): Promise<SendResult> {
  const to = normalizeEmail(mail.content.Email);
  if (to === undefined) return refused('invalid email address');
  const { content } = mail;
  const dead = await mailSecrets.findInvalidSecret(deps.db, { id: event.id, accountId, content });
  if (dead !== undefined) return refused(`the ${dead} is no longer valid`);
  const { id, traceid: traceId } = event;
  return deps.mailer.send({ id, to, letter: mail.letter, traceId, secrets: secretsOf(content), slot });
}

async function settle(deps: DeliveryDeps, delivery: Delivery, result: SendResult): Promise<Outcome> {
  const { db, activity } = deps;
  if (result.status === 'sent') {
    await retryUntilDone(() => mailDeliveries.markSent(db, delivery));
    activity.count('mail.sent');
    return { kind: 'done' };
  }
  if (result.status === 'unreachable') deps.onUnreachable();
  const afterSeconds = result.status === 'refused' ? undefined : waitAfter(result.status, delivery);
  if (afterSeconds === undefined) {
    const reason = result.status === 'refused' ? result.reason : `gave up: ${result.reason}`;
    await mailDeliveries.park(db, delivery, reason);
    activity.count('mail.parked');
    return { kind: 'dead', reason };
  }
  const error = result.status === 'unreachable' ? UNREACHABLE : result.reason;
  await mailDeliveries.markRetry(db, delivery, { afterSeconds, error });
  return { kind: 'retry', afterSeconds, reason: error };
}

/**
 * A mail that was sent must be marked as sent, so this is retried. While Postgres is down, no other worker can send it
 * again either.
 */
async function retryUntilDone(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= RECORD_AGAIN_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, RECORD_AGAIN_MS));
    }
  }
}

function secretsOf(content: MailContent): string[] {
  if ('Code' in content) return [content.Code, shownCode(content.Code)];
  if ('RestoreCode' in content && content.RestoreCode !== undefined) return [content.RestoreCode];
  if ('TakeBack' in content) return [content.TakeBack.Code];
  return 'InvitationToken' in content ? [content.InvitationToken] : [];
}

function refused(reason: string): SendResult {
  return { status: 'refused', reason };
}
