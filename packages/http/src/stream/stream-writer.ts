import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Place } from './open-streams.ts';

/**
 * Writes text to one client, for `eventStream`. Text that is added before the client has received the last of it is
 * buffered as one piece. `onClose` stops the source of the text, when the stream has ended or the client is gone.
 * Thousands are open for hours, so a writer has no promises and no iterator.
 */
export class StreamWriter {
  #waiting = '';
  #isOpen = true;
  #sending: Sending | undefined;
  #isFull = false;
  #emptied: (() => void) | undefined;
  readonly #onClose: () => void;
  readonly #lengthMax: number;

  constructor(onClose: () => void, lengthMax = 1_048_576) {
    this.#onClose = onClose;
    this.#lengthMax = lengthMax;
  }

  get waiting(): string {
    return this.#waiting;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Adds text. A client with too much unread text is disconnected; it reconnects and asks for what it missed. */
  put(text: string): void {
    if (!this.#isOpen || text === '') return;
    this.#waiting += text;
    if (this.#waiting.length > this.#lengthMax) this.cut();
    else this.#hand();
  }

  /** Puts text in the place of what waits. */
  replace(text: string): void {
    this.#waiting = '';
    this.put(text);
  }

  /** Resolves once the client has taken everything, or is gone. */
  async drained(): Promise<void> {
    if (this.#waiting === '' || !this.#isOpen) return;
    await new Promise<void>((resolve) => (this.#emptied = resolve));
  }

  /** Ends the stream after what waits. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#hand();
    this.#onClose();
  }

  /** Ends the stream without what waits. */
  cut(): void {
    this.#waiting = '';
    this.end();
    this.#hand();
  }

  connect(sending: Sending): void {
    this.#sending = sending;
    this.#hand();
  }

  /** The client takes more. */
  resume(): void {
    this.#isFull = false;
    this.#hand();
  }

  /** The client is gone. */
  disconnect(): void {
    this.#sending = undefined;
    this.cut();
  }

  #hand(): void {
    const sending = this.#sending;
    if (sending !== undefined && !this.#isFull && this.#waiting !== '') {
      const text = this.#waiting;
      this.#waiting = '';
      this.#isFull = !sending.write(text);
    }
    if (sending !== undefined && this.#waiting === '' && !this.#isOpen) {
      this.#sending = undefined;
      sending.end();
    }
    if (this.#waiting === '' || !this.#isOpen) this.#emptied?.();
  }
}

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

class Sending {
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

  /** `false`: the client takes it slowly, and the writer is resumed once it takes more. */
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
