import { Readable } from 'node:stream';
import type { SendSlot } from './send-slot.ts';

export type SmtpAttempt = ReturnType<typeof createSmtpAttempt>;

/** The steps that the mail server must reply to. */
export type Step = 'envelope' | 'content';

/**
 * One attempt to hand a mail to the mail server, in steps: its envelope, its slot, its content.
 *
 * `onDead` is called if the server does not reply to a step within `stepMs`, `onStep` with the duration of each step
 * that got a reply.
 */
export function createSmtpAttempt(options: {
  slot: SendSlot | undefined;
  stepMs(step: Step): number;
  onStep(step: Step, ms: number): void;
  onDead(): void;
}) {
  const { slot, stepMs, onStep, onDead } = options;
  const controller = new AbortController();
  let isInDoubt = false;
  let begunAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const beginStep = (step: Step): void => {
    clearTimeout(timer);
    begunAt = performance.now();
    const ms = stepMs(step);
    timer = Number.isFinite(ms) ? setTimeout(onDead, ms) : undefined;
  };
  const endStep = (step: Step): void => {
    clearTimeout(timer);
    onStep(step, performance.now() - begunAt);
  };
  /** The last moment before the server gets the content. */
  const beforeContent = async (): Promise<void> => {
    endStep('envelope');
    await slot?.acquire();
    isInDoubt = true;
    beginStep('content');
  };

  return {
    /** Aborted when the mail should be sent on another connection. */
    signal: controller.signal,
    /** Wraps the content for the connection. Called when the envelope is sent. */
    over: (content: Readable): Readable => {
      beginStep('envelope');
      return inOnePiece(content, beforeContent, () => slot?.release());
    },
    /** Requests another connection, unless the server may already have the content: that would repeat the mail. */
    move: (): void => {
      if (!isInDoubt) controller.abort();
    },
    /** Must be called when the server has confirmed that it has the mail. */
    answered: () => endStep('content'),
    end: (): void => {
      clearTimeout(timer);
      slot?.release();
    },
  };
}

/**
 * The content of a mail, which is read when the server has agreed to accept it, and in one piece, so that it needs only
 * one or two packets and its end is sent with the rest. If the connection breaks before that, it is dropped.
 */
function inOnePiece(content: Readable, before: () => Promise<void>, onDropped: () => void): Readable {
  let isAsked = false;
  let isOut = false;
  return new Readable({
    highWaterMark: 0,
    read() {
      if (isAsked) return;
      isAsked = true;
      const compose = async (): Promise<void> => {
        const parts = (await content.toArray()) as Buffer[]; // the content of a mail is binary
        await before();
        isOut = true;
        this.push(Buffer.concat(parts));
        this.push(null);
      };
      compose().catch((error: unknown) =>
        this.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, done) {
      if (!isOut) onDropped();
      done(error);
    },
  });
}
