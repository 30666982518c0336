import type { Log } from '@gatehouse/runtime';
import type { Mailer, SendResult } from './smtp/transport.ts';

/**
 * A rule of the server may be about one recipient, and everybody can register an address that it refuses. So sending
 * only stops if so many mails are refused and none is accepted between them.
 */
const REFUSALS_IN_A_ROW = 3;
/**
 * Less than the lifetime of a code: most mails that waited for the last pause are still of use. Short where it may be the
 * recipients alone: others must not wait behind many of them.
 */
const PAUSES_MS = { unreachable: [10_000, 30_000, 60_000, 120_000, 300_000], deferred: [10_000, 30_000] };

/**
 * Whether the mail server accepts mails from us at all. It does not if it cannot be reached, or if it refuses our
 * sender: then no mail is tried, so that none uses up its attempts, until the pause is over and one of the next is
 * accepted. `onBack` is called when mails are accepted again.
 */
export function createServerState(options: {
  mailer: Mailer;
  onBack(): Promise<void>;
  log: Log;
  now?: (() => number) | undefined;
}) {
  const { mailer, onBack, log, now = () => performance.now() } = options;
  let connection: 'up' | 'doubted' | 'down' = 'up';
  let reasonLogged: string | undefined;
  let refusals = 0;
  let pauses = 0;
  let stoppedUntil: number | undefined;
  let isResumed = false;

  const learnRefusal = (status: keyof typeof PAUSES_MS, reason: string, begunAt: number): void => {
    // What was on its way when the pause began says nothing about the server after it.
    if (stoppedUntil !== undefined && begunAt < stoppedUntil) return;
    refusals += status === 'unreachable' ? REFUSALS_IN_A_ROW : 1;
    if (refusals < REFUSALS_IN_A_ROW) return;
    refusals = 0;
    const pausesMs = PAUSES_MS[status];
    const pauseMs = pausesMs[Math.min(pauses, pausesMs.length - 1)] ?? 0;
    stoppedUntil = now() + pauseMs;
    pauses += 1;
    log.warn('the mail server refuses our emails, sending none for a while', {
      reason,
      pauseSeconds: pauseMs / 1000,
    });
  };

  return {
    send: async (envelope: Parameters<Mailer['send']>[0]): Promise<SendResult> => {
      const begunAt = now();
      const result = await mailer.send(envelope);
      if (result.status === 'sent') {
        refusals = 0;
        pauses = 0;
        isResumed ||= stoppedUntil !== undefined;
        stoppedUntil = undefined;
      } else if (result.isOurs && result.status !== 'refused') {
        learnRefusal(result.status, result.reason, begunAt);
      } else if (result.status === 'unreachable' && connection === 'up') connection = 'doubted';
      return result;
    },
    /** How many of `limit` mails may be tried now. */
    room: (limit: number): number =>
      stoppedUntil === undefined ? limit : now() < stoppedUntil ? 0 : Math.min(limit, 1),
    isUp: () => connection === 'up' && stoppedUntil === undefined,
    /** Checks whether a server that could not be reached is back. Must be called every second or two. */
    probe: async (): Promise<void> => {
      // A single mail that broke its connection is not an outage, and must not be retried before its time.
      const wasDown = connection === 'down';
      if (connection !== 'up') {
        const reason = await mailer.verify();
        connection = reason === undefined ? 'up' : 'down';
        if (reason !== undefined && reason !== reasonLogged)
          log.warn('mail server unavailable, waiting for it to recover', { reason });
        reasonLogged = reason;
      }
      if (!isResumed && !(wasDown && connection === 'up')) return;
      isResumed = false;
      log.info('mail server recovered');
      await onBack();
    },
  };
}
