import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller } from '@gatehouse/auth-core';
import { Gauge, type Metrics } from '@gatehouse/runtime';
import { ApiError } from '../errors.ts';

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

  resume(): void {
    this.#isFull = false;
    this.#hand();
  }

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

/** As fast as the client takes it. At a stop each client is told to reconnect after a random 1 to 10 seconds. */
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

/** How many streams one session may have open, all sessions of one account, and one static token, which several servers may share. */
const SESSION_STREAMS_MAX = 5;
const ACCOUNT_STREAMS_MAX = 100;
const TOKEN_STREAMS_MAX = 100;

/** A stream's place among those that a process has; to be left once. */
export interface Place {
  /** What ends the stream when the process stops. */
  onStop: (() => void) | undefined;
  leave(): void;
}

export class OpenStreams {
  readonly #max: number;
  readonly #open: Gauge;
  readonly #places = new Set<Place>();
  /** By session, account or static token. */
  readonly #byOwner = new Map<string, number>();

  constructor(max: number, metrics: Metrics) {
    this.#max = max;
    this.#open = new Gauge({
      name: 'gatehouse_streams_open',
      help: 'Event streams that are open',
      registers: [metrics],
    });
  }

  /** @throws {ApiError} 429 when the session, the account, the token or the process has as many as may be. */
  take(caller: Caller | null): Place {
    for (const { owner, max, of } of boundsOf(caller)) {
      if ((this.#byOwner.get(owner) ?? 0) >= max)
        throw refused(`Too many streams of this ${of} are open`, 30);
    }
    if (this.#places.size >= this.#max) throw refused('The server has as many streams open as it can', 5);
    for (const { owner } of boundsOf(caller)) this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? 0) + 1);
    const place: Place = { onStop: undefined, leave: () => this.#leave(place, caller) };
    this.#places.add(place);
    this.#open.set(this.#places.size);
    return place;
  }

  #leave(place: Place, caller: Caller | null): void {
    if (!this.#places.delete(place)) return;
    this.#open.set(this.#places.size);
    for (const { owner } of boundsOf(caller)) {
      const left = (this.#byOwner.get(owner) ?? 1) - 1;
      if (left === 0) this.#byOwner.delete(owner);
      else this.#byOwner.set(owner, left);
    }
  }

  stop(): void {
    for (const place of this.#places) place.onStop?.();
  }
}

function boundsOf(caller: Caller | null): { owner: string; max: number; of: string }[] {
  if (caller === null) return [];
  if (caller.kind === 'service') return [{ owner: caller.tokenId, max: TOKEN_STREAMS_MAX, of: 'token' }];
  return [
    { owner: caller.sessionId, max: SESSION_STREAMS_MAX, of: 'session' },
    { owner: caller.accountId, max: ACCOUNT_STREAMS_MAX, of: 'account' },
  ];
}

function refused(detail: string, retryAfterSeconds: number): ApiError {
  return new ApiError('too_many_requests', detail, { retryAfterSeconds });
}
