import type { Caller } from '@gatehouse/auth-core';
import { Gauge, type Metrics } from '@gatehouse/runtime';
import { ApiError } from '../errors.ts';

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

class TakenPlace implements Place {
  onStop: (() => void) | undefined = undefined;
  readonly caller: Caller | null;
  readonly #onLeave: (place: TakenPlace) => void;

  constructor(caller: Caller | null, onLeave: (place: TakenPlace) => void) {
    this.caller = caller;
    this.#onLeave = onLeave;
  }

  leave(): void {
    this.#onLeave(this);
  }
}

export class OpenStreams {
  readonly #max: number;
  readonly #open: Gauge;
  readonly #places = new Set<TakenPlace>();
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
    for (const { owner, max, refusal } of boundsOf(caller)) {
      if ((this.#byOwner.get(owner) ?? 0) >= max) throw refused(refusal, 30);
    }
    if (this.#places.size >= this.#max) throw refused('The server has as many streams open as it can', 5);
    for (const { owner } of boundsOf(caller)) this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? 0) + 1);
    const place = new TakenPlace(caller, this.#onLeave);
    this.#places.add(place);
    this.#open.set(this.#places.size);
    return place;
  }

  readonly #onLeave = (place: TakenPlace): void => {
    if (!this.#places.delete(place)) return;
    this.#open.set(this.#places.size);
    for (const { owner } of boundsOf(place.caller)) {
      const left = (this.#byOwner.get(owner) ?? 1) - 1;
      if (left === 0) this.#byOwner.delete(owner);
      else this.#byOwner.set(owner, left);
    }
  };

  /** Ends them all: the process stops. */
  stop(): void {
    for (const place of this.#places) place.onStop?.();
  }
}

function boundsOf(caller: Caller | null): { owner: string; max: number; refusal: string }[] {
  if (caller === null) return [];
  if (caller.kind === 'service') {
    return [
      { owner: caller.tokenId, max: TOKEN_STREAMS_MAX, refusal: 'Too many streams of this token are open' },
    ];
  }
  return [
    {
      owner: caller.sessionId,
      max: SESSION_STREAMS_MAX,
      refusal: 'Too many streams of this session are open',
    },
    {
      owner: caller.accountId,
      max: ACCOUNT_STREAMS_MAX,
      refusal: 'Too many streams of this account are open',
    },
  ];
}

function refused(detail: string, retryAfterSeconds: number): ApiError {
  return new ApiError('too_many_requests', detail, { retryAfterSeconds });
}
