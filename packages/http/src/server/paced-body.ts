import type { ServerResponse } from 'node:http';

/** The minimum speed at which a client must read a large body. */
export interface Pace {
  /** The time limit for the whole body. */
  sendMs: number;
  /** The bytes, or the rest if smaller, that must be read within each `stallMs`. */
  bytesMin: number;
  stallMs: number;
}

/** A large body. Its client is disconnected when it stops reading. */
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
