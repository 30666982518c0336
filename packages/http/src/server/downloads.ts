import type { ServerResponse } from 'node:http';
import type { Caller } from '@gatehouse/auth-core';
import { ApiError } from '../errors.ts';
import { PacedBody, type Pace } from './paced-body.ts';

/** The maximum number of concurrent downloads in a process: each may use tens of megabytes until the client has it. */
const DOWNLOADS_MAX = 4;
/** A client that stops reading is disconnected soon; one that reads slowly has two minutes. */
const PACE: Pace = { sendMs: 120_000, bytesMin: 262_144, stallMs: 10_000 };
const RETRY_SECONDS = 5;

/** A download's place among those of the process; released once, in one of two ways. */
export interface DownloadPlace {
  /** Releases the place when there is nothing to send. */
  leave(): void;
  /** Releases the place when the client has the response or disconnects. */
  leaveOnceSent(response: ServerResponse): void;
  /** The body to send; a client that reads too slowly is disconnected. */
  bodyOf(pieces: readonly Buffer[]): PacedBody;
}

/** Limits large responses: one at a time for each object or caller, and few in total. */
export class Downloads {
  readonly #pace: Pace;
  readonly #subjects = new Set<string>();

  constructor(pace: Partial<Pace> = {}) {
    this.#pace = { ...PACE, ...pace };
  }

  /** @throws {ApiError} 429 if the object of the path or else the caller has a download, or the limit is reached. */
  take(caller: Caller | null, params: object = {}): DownloadPlace {
    const subject = Object.values(params).join('/') || ownerOf(caller);
    if (this.#subjects.has(subject)) throw refused('The same download is under way already');
    if (this.#subjects.size >= DOWNLOADS_MAX) throw refused('Too many downloads are under way');
    this.#subjects.add(subject);
    let isLeft = false;
    const leave = (): void => {
      // The place may belong to another download by now.
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
        // A response that waits behind another on its connection gets no event when the connection closes.
        socket.once('close', end);
      },
      bodyOf: (pieces) => new PacedBody(pieces, this.#pace),
    };
  }
}

function ownerOf(caller: Caller | null): string {
  return caller?.kind === 'session' ? caller.accountId : (caller?.tokenId ?? '');
}

function refused(detail: string): ApiError {
  return new ApiError('too_many_requests', detail, { retryAfterSeconds: RETRY_SECONDS });
}
