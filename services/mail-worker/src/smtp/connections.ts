import { createTransport, type SendMailOptions } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { SendSlot } from './send-slot.ts';
import { createSmtpAttempt, type SmtpAttempt } from './smtp-attempt.ts';

/**
 * Connections to the mail server, kept open for the next mail. One that the way to the server has forgotten looks
 * like any other, and a mail that meets it would wait until the time-out for slow servers. So a pool in which one
 * step takes much longer than steps took lately is left for a new one: mails of which the server has no content move
 * over at once, which repeats none; those in doubt wait for their answer where they are.
 */
export interface Connections {
  /** Resolves to the mail server’s reply code once it has taken the mail; throws what nodemailer throws. */
  send(mail: SendMailOptions, options: { slot?: SendSlot | undefined; signal: AbortSignal }): Promise<number>;
  /** Whether a new connection can be made and is let in. */
  verify(): Promise<boolean>;
  /** Closes what is idle, and the rest as it gets idle. */
  close(): void;
}

interface Pool {
  transport: ReturnType<typeof openTransport>;
  attempts: Set<SmtpAttempt>;
}

/** How long a step may take at least before it tells of a dead connection, and how many times the last one. */
const STEP_MS_MIN = 3000;
const STEP_TIMES_LAST = 3;
/** A mail that moved so often meets a server that is slow, and is left to the time-outs of connections. */
const MOVES_MAX = 2;
/** Pools that were left and still wait for answers; with it, connections are at most twice what was allowed. */
const LEFT_MAX = 1;

export function createConnections(settings: SMTPPool.Options, stepMsMin = STEP_MS_MIN): Connections {
  const left = new Set<Pool>();
  const lastMs = { envelope: 0, content: 0 };
  const openPool = (): Pool => ({ transport: openTransport(settings), attempts: new Set() });
  let current = openPool();

  const onDead = (pool: Pool, attempt: SmtpAttempt): void => {
    if (pool !== current || left.size >= LEFT_MAX) return attempt.move();
    current = openPool();
    left.add(pool);
    for (const one of pool.attempts) one.move();
    pool.transport.close();
  };
  const begin = (pool: Pool, slot: SendSlot | undefined, isUnbounded: boolean): SmtpAttempt => {
    const attempt = createSmtpAttempt({
      slot,
      stepMs: (step) => (isUnbounded ? Infinity : Math.max(stepMsMin, lastMs[step] * STEP_TIMES_LAST)),
      onStep: (step, ms) => (lastMs[step] = ms),
      onDead: () => onDead(pool, attempt),
    });
    pool.attempts.add(attempt);
    return attempt;
  };
  const end = (pool: Pool, attempt: SmtpAttempt): void => {
    attempt.end();
    pool.attempts.delete(attempt);
    if (pool.attempts.size === 0) left.delete(pool);
  };

  return {
    send: async (mail, { slot, signal }) => {
      for (let moves = 0; ; moves += 1) {
        const pool = current;
        const attempt = begin(pool, slot, moves === MOVES_MAX);
        try {
          const { response } = await pool.transport.sendMail({
            ...mail,
            ...{ attempt },
            signal: AbortSignal.any([signal, attempt.signal]),
          });
          attempt.answered();
          return Number(response.slice(0, 3));
        } catch (error) {
          if (!attempt.signal.aborted || signal.aborted || moves === MOVES_MAX) throw error;
        } finally {
          end(pool, attempt);
        }
      }
    },
    verify: async () => {
      try {
        return await current.transport.verify();
      } catch {
        return false;
      }
    },
    close: () => {
      for (const { transport } of [current, ...left]) transport.close();
    },
  };
}

function openTransport(settings: SMTPPool.Options) {
  const transport = createTransport({ ...settings, pool: true });
  transport.use('stream', (mail, done) => {
    const { attempt } = mail.data as { attempt: SmtpAttempt }; // as `send` puts it in
    mail.message.processFunc((content) => attempt.over(content));
    done();
  });
  return transport;
}
