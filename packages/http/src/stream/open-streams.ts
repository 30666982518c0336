import type { Caller } from '@gatehouse/auth-core';
import { Gauge, type Metrics } from '@gatehouse/runtime';
import { ApiError } from '../errors.ts';

/** How many streams one session may have open, and one static token, which several servers may share. */
const SESSION_STREAMS_MAX = 5;
const TOKEN_STREAMS_MAX = 100;

/** A stream's place among those that a process has; to be left once. */
export interface Place {
  /** What ends the stream when the process stops. */
  onStop: (() => void) | undefined;
  leave(): void;
}

/** Counts the streams that are open, and bounds them. */
export class OpenStreams {
  readonly #max: number;
  readonly #open: Gauge;
  readonly #places = new Set<Place>();
  readonly #byCaller = new Map<string, number>();

  constructor(max: number, metrics: Metrics) {
    this.#max = max;
    this.#open = new Gauge({
      name: 'gatehouse_streams_open',
      help: 'Event streams that are open',
      registers: [metrics],
    });
  }

  /** @throws {ApiError} 429 when the caller, or the process, has as many as may be. */
  take(caller: Caller | null): Place {
    const key = keyOf(caller);
    const own = this.#byCaller.get(key) ?? 0;
    const ownMax = caller?.kind === 'service' ? TOKEN_STREAMS_MAX : SESSION_STREAMS_MAX;
    if (own >= ownMax) throw refused('Too many streams are open already', 30);
    if (this.#places.size >= this.#max) throw refused('The server has as many streams open as it can', 5);
    this.#byCaller.set(key, own + 1);
    const place: Place = {
      onStop: undefined,
      leave: () => {
        if (!this.#places.delete(place)) return;
        this.#open.set(this.#places.size);
        const left = (this.#byCaller.get(key) ?? 1) - 1;
        if (left === 0) this.#byCaller.delete(key);
        else this.#byCaller.set(key, left);
      },
    };
    this.#places.add(place);
    this.#open.set(this.#places.size);
    return place;
  }

  /** Ends them all: the process stops. */
  stop(): void {
    for (const place of this.#places) place.onStop?.();
  }
}

function keyOf(caller: Caller | null): string {
  if (caller === null) return '';
  return caller.kind === 'service' ? caller.tokenId : caller.sessionId;
}

function refused(detail: string, retryAfterSeconds: number): ApiError {
  return new ApiError('too_many_requests', detail, { retryAfterSeconds });
}
