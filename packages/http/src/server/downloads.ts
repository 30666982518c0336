import type { ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';
import { PacedBody, type Pace } from './paced-body.ts';

/** How many a process makes or sends at a time: each may take tens of megabytes, until its client has it. */
const DOWNLOADS_MAX = 4;
/** A client that stops reading keeps no place from others for long; one that reads slowly has two minutes. */
const PACE: Pace = { sendMs: 120_000, bytesMin: 262_144, stallMs: 10_000 };
const RETRY_SECONDS = 5;

/** A download's place among those of the process; to be left once, in one of two ways. */
export interface DownloadPlace {
  /** There is nothing to send. */
  leave(): void;
  /** Leaves it as soon as the client has the answer or is gone. */
  leaveOnceSent(response: ServerResponse): void;
  /** What is sent: a client that is too slow is cut off. */
  bodyOf(pieces: readonly Buffer[]): PacedBody;
}

/** Bounds the answers that are large: one at a time of each subject, and few of all. */
export class Downloads {
  readonly #pace: Pace;
  readonly #subjects = new Set<string>();

  constructor(pace: Partial<Pace> = {}) {
    this.#pace = { ...PACE, ...pace };
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
        const { socket } = response.req;
        if (response.closed || socket.destroyed) return leave();
        const end = (): void => {
          response.off('close', end);
          socket.off('close', end);
          leave();
        };
        response.once('close', end);
        // A response that waits for the one before it on its connection never hears that this is gone.
        socket.once('close', end);
      },
      bodyOf: (pieces) => new PacedBody(pieces, this.#pace),
    };
  }
}

function refused(detail: string): ApiError {
  return new ApiError('too_many_requests', detail, { retryAfterSeconds: RETRY_SECONDS });
}
