import { createTransport, type SendMailOptions } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { SendSlot } from './send-slot.ts';
import { createSmtpAttempt, type SmtpAttempt } from './smtp-attempt.ts';

/**
 * Connections to the mail server, kept open for the next mail. A connection that a firewall on the way has dropped
 * looks intact, and a mail on it would wait until the timeout for slow servers. So if one step takes much longer than
 * recent ones, the whole pool is replaced. Mails whose content the server does not have move to the new pool at once,
 * which causes no repeats. Mails in doubt wait for their reply on the old connections.
 */
export type Connections = ReturnType<typeof createConnections>;

interface Sending {
  slot?: SendSlot | undefined;
  signal: AbortSignal;
}

interface Pool {
  transport: ReturnType<typeof openTransport>;
  attempts: Set<SmtpAttempt>;
}

/** A step that takes longer than both this time and this multiple of the last step indicates a dead connection. */
const STEP_MS_MIN = 3000;
const STEP_TIMES_LAST = 3;
/** After this many moves the server is considered slow, and only the timeouts of connections apply. */
const MOVES_MAX = 2;
/** How many replaced pools may wait for replies: so there are at most twice as many connections as configured. */
const LEFT_MAX = 1;

export function createConnections(settings: SMTPPool.Options, stepMsMin = STEP_MS_MIN) {
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
    /** Resolves with the reply code of the mail server when it has accepted the mail. Throws nodemailer's errors. */
    send: async (mail: SendMailOptions, { slot, signal }: Sending) => {
      for (let moves = 0; ; moves += 1) {
        const pool = current;
        const attempt = begin(pool, slot, moves === MOVES_MAX);
        try {
          const { response } = await pool.transport.sendMail({
            ...{ ...mail, attempt },
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
    /** Resolves with nodemailer's error if no new connection can be opened, or it is not accepted. */
    verify: async () => {
      try {
        await current.transport.verify();
        return undefined;
      } catch (error) {
        return error as Error; // as nodemailer documents
      }
    },
    /** Closes idle connections at once, and the others as soon as they are idle. */
    close: () => {
      for (const { transport } of [current, ...left]) transport.close();
    },
  };
}

function openTransport(settings: SMTPPool.Options) {
  const transport = createTransport({ ...settings, pool: true });
  transport.use('stream', (mail, done) => {
    const { attempt } = mail.data as { attempt: SmtpAttempt }; // set by `send`
    mail.message.processFunc((content) => attempt.over(content));
    done();
  });
  return transport;
}
