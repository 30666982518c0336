import type { ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';

/** How many a process makes or sends at a time: each may take tens of megabytes, until its client has it. */
const DOWNLOADS_MAX = 4;
/** How long a client may take for one. */
const SEND_MS = 120_000;
const RETRY_SECONDS = 5;

/** A download's place among those of the process; to be left once, in one of two ways. */
export interface DownloadPlace {
  /** There is nothing to send. */
  leave(): void;
  /** Leaves it as soon as the client has the answer or is gone, and cuts off one that takes too long. */
  leaveOnceSent(response: ServerResponse): void;
}

/** Bounds the answers that are large: one at a time of each subject, and few of all. */
export class Downloads {
  readonly #sendMs: number;
  readonly #subjects = new Set<string>();

  constructor(sendMs = SEND_MS) {
    this.#sendMs = sendMs;
  }

  /** @throws {ApiError} 429 while there is one of this subject, or as many as may be. */
  take(subject: string): DownloadPlace {
    if (this.#subjects.has(subject)) throw refused('The same download is under way already');
    if (this.#subjects.size >= DOWNLOADS_MAX) throw refused('Too many downloads are under way');
    this.#subjects.add(subject);
    let isLeft = false;
    const leave = (): void => {
      // It may be another's by now.
      if (!isLeft) this.#subjects.delete(subject);
      isLeft = true;
    };
    return {
      leave,
      leaveOnceSent: (response) => {
        if (response.closed) return leave();
        const timer = setTimeout(() => response.destroy(), this.#sendMs).unref();
        response.once('close', () => {
          clearTimeout(timer);
          leave();
        });
      },
    };
  }
}

function refused(detail: string): ApiError {
  return new ApiError('too_many_requests', detail, { retryAfterSeconds: RETRY_SECONDS });
}
