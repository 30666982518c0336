import type { ServerResponse } from 'node:http';

/** How a client has to take a large body. */
export interface Pace {
  /** All of it within this time. */
  sendMs: number;
  /** So many bytes, or the rest, within each time of `stallMs`. */
  bytesMin: number;
  stallMs: number;
}

/** A large body, whose client is cut off when it stops reading. */
export class PacedBody {
  readonly byteLength: number;
  readonly #pieces: readonly Buffer[];
  readonly #pace: Pace;

  constructor(pieces: readonly Buffer[], pace: Pace) {
    this.#pieces = pieces;
    this.#pace = pace;
    this.byteLength = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Writes the body, each piece when the one before has left the process, and ends the response. */
  sendTo(response: ServerResponse): void {
    const { sendMs, stallMs, bytesMin } = this.#pace;
    let sentBytes = 0;
    let earlierBytes = 0;
    // The connection: a response that waits for the one before it, of a client which pipelines, has none of its own yet.
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
