import { setTimeout as pause } from 'node:timers/promises';
import type { Fetch } from './key-set.ts';
import type { Refusal } from './verdict.ts';

/** An item of `GET /session-event`. */
interface Change {
  /** The session, or an application's part of one. */
  SessionId: string;
  Status: number;
  TokenExpiresAt: string;
}

interface Options {
  url: string;
  /** A static API token of the role `Feed`. */
  token: string;
  leewaySeconds: number;
  fetch: Fetch;
  now: () => number;
  /** A monotonic clock in milliseconds. */
  elapsed: () => number;
  onError: (error: Error) => void;
}

/** The feed sends something every 20 s; after this much silence, recent endings may be unknown. */
const SILENCE_MS = 30_000;
/** So that what ended during an outage is known within a second after it. */
const PAUSE_MS_MAX = 600;
/** After 401 or 403: only somebody who changes the token or its role can help. */
const REFUSED_PAUSE_MS = 30_000;
const TIMEOUT_MS = 5000;

const CODES: Record<number, Refusal['code']> = {
  3: 'session_replaced',
  4: 'session_deactivated',
  7: 'session_expired',
  8: 'invite_deleted',
};

/**
 * The ended sessions, and applications' ended parts of sessions, as long as their tokens have not expired. They are read
 * from the feed at the start and followed from then on. After an outage it continues at the same position, so that no
 * ending is missed.
 */
export class EndedSessions {
  readonly #options: Options;
  readonly #ended = new Map<string, { code: Refusal['code']; until: number }>();
  readonly #watches = new Map<string, Set<() => void>>();
  readonly #stop = new AbortController();
  #heardAt = -Infinity;
  #cursor: string | undefined;
  #pauseMs = 0;
  #reported: string | undefined;
  #isRefused = false;

  constructor(options: Options) {
    this.#options = options;
    void this.#follow();
  }

  /** Whether every ending of more than half a minute ago is known. */
  get isFresh(): boolean {
    return this.#options.elapsed() - this.#heardAt < SILENCE_MS;
  }

  get size(): number {
    return this.#ended.size;
  }

  codeOf(sessionId: string): Refusal['code'] | undefined {
    return this.#ended.get(sessionId)?.code;
  }

  /** Calls `onEnded` once the session ends, or soon if it already has. Returns a function that stops watching. */
  watch(sessionId: string, onEnded: () => void): () => void {
    if (this.#ended.has(sessionId)) {
      queueMicrotask(onEnded);
      return () => {};
    }
    const all = this.#watches.get(sessionId) ?? new Set();
    this.#watches.set(sessionId, all.add(onEnded));
    return () => {
      all.delete(onEnded);
      if (all.size === 0) this.#watches.delete(sessionId);
    };
  }

  close(): void {
    this.#stop.abort();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#readMissed();
        await this.#readStream();
      } catch (error) {
        if (signal.aborted) return;
        this.#report(error);
      }
      this.#pauseMs = this.#isRefused
        ? REFUSED_PAUSE_MS
        : Math.min(PAUSE_MS_MAX, Math.max(100, this.#pauseMs * 2));
      await pause(this.#pauseMs * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(
        () => {},
      );
    }
  }

  /** Reports each problem once, until the feed is heard again. */
  #report(error: unknown): void {
    const problem = String(error);
    if (problem === this.#reported) return;
    this.#reported = problem;
    this.#options.onError(error instanceof Error ? error : new Error(problem, { cause: error }));
  }

  /** Reads all pages: first the endings that still matter, later what has changed. */
  async #readMissed(): Promise<void> {
    for (;;) {
      const from = this.#cursor === undefined ? 'ended=true' : `cursor=${this.#cursor}`;
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await this.#ask(`/session-event?limit=200&${from}`, signal);
      const page = (await response.json()) as { Items: Change[]; NextCursor: string }; // public-openapi.json
      for (const change of page.Items) this.#take(change);
      const isFirst = this.#cursor === undefined;
      this.#cursor = page.NextCursor;
      // The first page of endings has another source than the changes after its cursor.
      if (page.Items.length < 200 && !isFirst) return;
    }
  }

  async #readStream(): Promise<void> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const signal = AbortSignal.any([this.#stop.signal, silence.signal]);
      const response = await this.#ask('/session-event/stream', signal, {
        'last-event-id': this.#cursor ?? '',
      });
      if (response.body === null) throw new Error('the feed is empty');
      for await (const { data, id } of readEvents(response.body)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        if (data !== undefined) this.#take(JSON.parse(data) as Change); // public-openapi.json
        if (id !== undefined) this.#cursor = id;
        this.#heardAt = this.#options.elapsed();
        this.#pauseMs = 0;
        this.#reported = undefined;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #ask(path: string, signal: AbortSignal, headers: Record<string, string> = {}): Promise<Response> {
    const { url, token, fetch } = this.#options;
    this.#isRefused = false;
    const response = await fetch(url + path, {
      headers: { ...headers, authorization: `Bearer ${token}` },
      redirect: 'error',
      signal,
    });
    if (response.ok) return response;
    await response.body?.cancel();
    this.#isRefused = response.status === 401 || response.status === 403;
    if (this.#isRefused)
      throw new Error(
        `GET ${path}: ${response.status}. Is the token that of a static API token of the role Feed?`,
      );
    // The cursor is from a database that was restored since: the endings are read from the start.
    if (response.status === 400) this.#cursor = undefined;
    throw new Error(`GET ${path}: ${response.status}`);
  }

  #take({ SessionId: id, Status, TokenExpiresAt }: Change): void {
    const code = CODES[Status];
    if (code === undefined) return void this.#ended.delete(id);
    const { leewaySeconds, now } = this.#options;
    const until = Date.parse(TokenExpiresAt) + leewaySeconds * 1000;
    this.#ended.delete(id);
    this.#ended.set(id, { code, until });
    this.#forget(now());
    for (const onEnded of this.#watches.get(id) ?? []) queueMicrotask(onEnded);
    this.#watches.delete(id);
  }

  /** Removes the oldest ones, whose tokens have expired: a few at a time, as new endings arrive. */
  #forget(now: number): void {
    let looks = 10;
    for (const [id, { until }] of this.#ended) {
      if (until > now || looks === 0) return;
      this.#ended.delete(id);
      looks -= 1;
    }
  }
}

/** A block of an event stream; without `data` it is not an event. */
export interface Block {
  data: string | undefined;
  id: string | undefined;
}

/** Gatehouse's blocks have a few hundred characters. */
const LENGTH_MAX = 1_048_576;

/** Server-sent events (HTML, section of this name), with comments, which show that the connection is alive. */
async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    if (rest.length > LENGTH_MAX) throw new Error('the stream is none of events');
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield readBlock(block);
  }
}

function readBlock(block: string): Block {
  const found: Block = { data: undefined, id: undefined };
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    const name = line.slice(0, colon);
    if (name === 'data') found.data = found.data === undefined ? value : `${found.data}\n${value}`;
    else if (name === 'id') found.id = value;
  }
  return found;
}
