import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Place } from './open-streams.ts';
import type { StreamWriter, Sink } from './stream-writer.ts';

/**
 * Sends what is put into a writer, as fast as the client takes it, until the writer ends or the client is gone. When the
 * process stops, each client is told to reconnect after a random 1 to 10 seconds.
 */
export function sendStream(response: ServerResponse, writer: StreamWriter, place: Place): void {
  const sending = new Sending(response, writer, place);
  place.onStop = sending.stop;
  // The head goes out at once: the client knows then that it is connected.
  response.flushHeaders();
  writer.connect(sending);
}

class Sending implements Sink {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #writer: StreamWriter;
  readonly #place: Place;

  constructor(response: ServerResponse, writer: StreamWriter, place: Place) {
    this.#response = response;
    this.#writer = writer;
    this.#place = place;
    // A response that waits for the one before it on its connection never hears that this is gone.
    this.#socket = response.req.socket;
    this.#socket.on('close', this.#over);
  }

  write(text: string): boolean {
    const takesMore = this.#response.write(text);
    if (!takesMore) this.#response.once('drain', () => this.#writer.resume());
    return takesMore;
  }

  end(): void {
    this.#response.end();
    this.#over();
  }

  readonly stop = (): void => {
    this.#response.end(`retry: ${randomInt(1000, 10_001)}\n\n`);
    this.#over();
  };

  readonly #over = (): void => {
    this.#socket.off('close', this.#over);
    this.#place.leave();
    this.#writer.disconnect();
  };
}
