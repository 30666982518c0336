import { Readable } from 'node:stream';
import type { SendSlot } from './send-slot.ts';

/** One try to give a mail to the mail server, step by step: its envelope, its slot, its content. */
export interface SmtpAttempt {
  /** Says that the mail is to go out over another connection. */
  signal: AbortSignal;
  /** The content as it goes over the connection; called when the envelope goes out. */
  over(content: Readable): Readable;
  /** Has the mail go out over another connection, unless the server may have its content: that would repeat it. */
  move(): void;
  /** To be called when the server has said that it has the mail. */
  answered(): void;
  /** To be called once, whatever became of it. */
  end(): void;
}

/** What the mail server is given, each for an answer. */
export type Step = 'envelope' | 'content';

/** `onDead` is called when the server leaves a step unanswered for `stepMs`, `onStep` with what an answered one took. */
export function createSmtpAttempt(options: {
  slot: SendSlot | undefined;
  stepMs(step: Step): number;
  onStep(step: Step, ms: number): void;
  onDead(): void;
}): SmtpAttempt {
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
    signal: controller.signal,
    over: (content) => {
      beginStep('envelope');
      return inOnePiece(content, beforeContent, () => slot?.release());
    },
    move: () => {
      if (!isInDoubt) controller.abort();
    },
    answered: () => endStep('content'),
    end: () => {
      clearTimeout(timer);
      slot?.release();
    },
  };
}

/**
 * A mail's content as it goes over the connection: read when the server has agreed to take it and not before, in
 * one piece, so that the mail costs one packet or two, and its end goes out with the rest. A connection that breaks
 * before that drops it.
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
        const parts = (await content.toArray()) as Buffer[]; // a mail is bytes
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
