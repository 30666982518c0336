import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '@gatehouse/auth-core';
import { ApiError } from '../errors.ts';

/** The maximum number of concurrent downloads in a process: each may use tens of megabytes until the client has it. */
const DOWNLOADS_MAX = 4;
/** A client that stops reading is disconnected soon; one that reads slowly has two minutes. */
const PACE: Pace = { sendMs: 120_000, bytesMin: 262_144, stallMs: 10_000 };
const RETRY_SECONDS = 5;

/** A download's place among those of the process; released once, in one of two ways. */
export type DownloadPlace = ReturnType<Downloads['take']>;

export class Downloads {
  readonly #pace: Pace;
  readonly #subjects = new Set<string>();

  constructor(pace: Partial<Pace> = {}) {
    this.#pace = { ...PACE, ...pace };
  }

  /** @throws {ApiError} 429 if the object of the path or else the caller has a download, or the limit is reached. */
  take(caller: Caller | null, params: object = {}) {
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
      /** Releases the place when there is nothing to send. */
      leave,

      /** Releases the place when the client has the response or disconnects. */
      leaveOnceSent: (response: ServerResponse): void => {
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

      /** The body to send; a client that reads too slowly is disconnected. */
      bodyOf: (pieces: readonly Buffer[]) => new PacedBody(pieces, this.#pace),
    };
  }
}

function ownerOf(caller: Caller | null): string {
  return caller?.kind === 'session' ? caller.accountId : (caller?.tokenId ?? '');
}

function refused(detail: string): ApiError {
  return new ApiError('too_many_requests', detail, { retryAfterSeconds: RETRY_SECONDS });
}

/** The minimum speed at which a client must read a large body. */
export interface Pace {
  sendMs: number;
  /** The bytes, or the rest if smaller, that must be read within each `stallMs`. */
  bytesMin: number;
  stallMs: number;
}

export class PacedBody {
  readonly byteLength: number;
  readonly #pieces: readonly Buffer[];
  readonly #pace: Pace;

  constructor(pieces: readonly Buffer[], pace: Pace) {
    this.#pieces = pieces;
    this.#pace = pace;
    this.byteLength = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Writes the body, each piece after the one before has left the process, and ends the response. */
  sendTo(response: ServerResponse): void {
    const { sendMs, stallMs, bytesMin } = this.#pace;
    let sentBytes = 0;
    let earlierBytes = 0;
    // The connection of the request: a response that waits behind another (pipelining) has no socket yet.
    const { socket } = response.req;
    const cut = (): void => {
      stop();
      socket.destroy();
    };
    const end = setTimeout(cut, sendMs).unref();
    const watch = setInterval(() => {
      if (sentBytes - earlierBytes < bytesMin) cut();
      earlierBytes = sentBytes;
    }, stallMs).unref();
    const stop = (): void => {
      clearTimeout(end);
      clearInterval(watch);
      socket.off('close', stop);
    };
    response.once('finish', stop).once('close', stop);
    socket.once('close', stop);
    const pieces = this.#pieces.values();
    const sendNext = (): void => {
      const { value: piece } = pieces.next();
      if (piece === undefined) return void response.end();
      response.write(piece, (error) => {
        if (error) return;
        sentBytes += piece.length;
        sendNext();
      });
    };
    sendNext();
  }
}

const PIECE_LENGTH = 65_536;
/** After this time the event loop gets a turn. */
const TURN_MS = 4;
/** The rows of a list that are serialized at a time. */
const PART_ROWS = 500;

/** A large document as JSON, in pieces: a long list does not block the event loop. A string is sent unchanged. */
export async function piecesOf(document: unknown): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let text = '';
  let since = performance.now();
  for (const part of textsOf(document)) {
    text += part;
    if (text.length >= PIECE_LENGTH) {
      pieces.push(Buffer.from(text));
      text = '';
    }
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  if (text !== '') pieces.push(Buffer.from(text));
  return pieces;
}

/** Yields the document with some rows of each of its lists at a time. */
export function* partsOf(document: unknown): Generator {
  if (!isRecord(document)) {
    yield document;
    return;
  }
  const entries = Object.entries(document);
  const rowsMax = Math.max(...entries.map(([, value]) => (Array.isArray(value) ? value.length : 0)));
  let from = 0;
  do {
    const to = from + PART_ROWS;
    yield Object.fromEntries(
      entries.map(([name, value]) => [name, Array.isArray(value) ? value.slice(from, to) : value]),
    );
    from = to;
  } while (from < rowsMax);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* textsOf(document: unknown): Generator<string> {
  if (typeof document === 'string') {
    for (const [part] of document.matchAll(/.{1,65536}/gsu)) yield part;
  } else if (isRecord(document)) {
    let separator = '{';
    for (const [name, value] of Object.entries(document)) {
      if (value === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* Array.isArray(value) ? rowsOf(value) : [JSON.stringify(value)];
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else yield JSON.stringify(document);
}

function* rowsOf(rows: readonly unknown[]): Generator<string> {
  let separator = '[';
  for (const row of rows) {
    yield `${separator}${JSON.stringify(row)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
