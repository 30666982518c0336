import type { endingOf } from '../session/ending.ts';
import type { SessionKeeper } from '../session/session-keeper.ts';
import type { StateStore } from '../session/state.ts';
import type { TabMessage } from '../session/tabs.ts';
import type { ClientErrorCode, retryAfterOf } from '../api/gatehouse-error.ts';
import type { Fetch } from '../api/send-json.ts';
import type { Access } from '../session/access-token.ts';
import type { ReplacedBy } from '../api/api-types.ts';

interface Deps extends Pick<ReadDeps, 'fetch' | 'base' | 'access' | 'retryAfterOf'> {
  keeper: Pick<SessionKeeper, 'tabs' | 'end'>;
  state: StateStore;
  isHidden: () => boolean;
  /** Converts an error code of the API to an ending. */
  endingOf: typeof endingOf;
  /** Checks with the server whether the session still exists. */
  look: () => void;
}

type Word = (TabMessage & { kind: 'stream' })['word'];

/** How long to wait for an answer from the tab that has the stream. */
const ANSWER_WITHIN_MS = 200;
/** That tab announces itself every 20 s. After this time without an announcement it was killed or frozen. */
const SILENT_MS = 30_000;
const FAILED_MS = 1000;
const FAILED_MAX_MS = 30_000;
/** The longest wait while no stream has ever worked, and for waits that the server requests. */
const WAIT_MAX_MS = 600_000;

/**
 * Follows the session by a stream, so that its end is known immediately. One visible tab has the stream and tells the
 * others what it receives. A tab that hears of no stream opens one. If two tabs have one, the tab with the lower id
 * keeps it.
 */
export class SessionStream {
  readonly #deps: Deps;
  readonly #stopping = new AbortController();
  #open: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sessionId: string | undefined;
  #failures = 0;
  #hasCome = false;
  #isRefused = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { signal } = this.#stopping;
    signal.addEventListener(
      'abort',
      deps.state.subscribe(() => this.#onState()),
    );
    if (typeof document === 'object') {
      const look = (): void => this.#look();
      document.addEventListener('visibilitychange', () => (deps.isHidden() ? this.#leave() : look()), {
        signal,
      });
      addEventListener('online', look, { signal });
      addEventListener('pageshow', look, { signal });
      // Uses the capture phase, to run before the page leaves the channel.
      addEventListener('pagehide', () => this.#leave(), { signal, capture: true });
    }
    this.#onState();
  }

  hear(message: TabMessage): void {
    const { state, keeper } = this.#deps;
    if (message.kind !== 'stream' || message.sessionId !== state.session()?.id) return;
    const isOurs = this.#open !== undefined;
    switch (message.word) {
      case 'asked':
        return isOurs ? this.#say('here') : undefined;
      case 'gone':
        return isOurs ? undefined : this.#look();
      case 'here':
        if (isOurs && keeper.tabs.id < message.tab) return this.#say('here');
        this.#drop();
        state.restrict(message.isRestricted);
        return this.#arm(SILENT_MS);
    }
  }

  stop(): void {
    this.#leave();
    this.#stopping.abort();
  }

  #say(word: Word): void {
    const { tabs } = this.#deps.keeper;
    const session = this.#deps.state.session();
    if (session === undefined) return;
    const { id: sessionId, isRestricted } = session;
    tabs.post({ kind: 'stream', tab: tabs.id, sessionId, isRestricted, word });
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    // A timer fires immediately if its delay is more than 2^31 ms or negative.
    const waitMs = Math.min(Math.max(ms, 0), WAIT_MAX_MS);
    this.#timer = setTimeout(() => void this.#read(), waitMs * (1 + Math.random()));
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#open?.abort();
    this.#open = undefined;
  }

  /** Closes this tab's stream, so that another tab opens one. */
  #leave(): void {
    if (this.#open !== undefined) this.#say('gone');
    this.#drop();
  }

  /** Opens a stream, unless another tab answers that it has one. */
  #look(): void {
    if (this.#open !== undefined || this.#stopping.signal.aborted) return;
    this.#say('asked');
    this.#arm(this.#deps.keeper.tabs.id ? ANSWER_WITHIN_MS : 0);
  }

  #onState(): void {
    const id = this.#deps.state.session()?.id;
    if (id === this.#sessionId) return;
    this.#drop();
    this.#sessionId = id;
    if (id !== undefined) this.#look();
  }

  async #read(): Promise<void> {
    const { state, isHidden } = this.#deps;
    if (this.#open !== undefined || this.#isRefused || isHidden() || state.session() === undefined) return;
    const mine = (this.#open = new AbortController());
    const begunAt = Date.now();
    this.#say('here');
    const onStatus = (sessionId: string, status: StreamedStatus): void => {
      if (this.#open === mine) void this.#take(sessionId, status).catch(() => {});
    };
    const onLife = (): void => (this.#open === mine ? this.#say('here') : undefined);
    const failed: StreamEnd = { kind: 'failed', afterMs: 0 };
    const end = await readSession({ ...this.#deps, onStatus, onLife }, mine).catch(() => failed);
    if (this.#open !== mine) return;
    this.#open = undefined;
    if (end.kind === 'refused') this.#isRefused = true;
    // A stream that ends immediately counts as a failure.
    else if (end.kind === 'over' && Date.now() - begunAt > FAILED_MS) this.#again(end.afterMs);
    else this.#failed(end.afterMs);
  }

  #again(afterMs: number): void {
    this.#hasCome = true;
    this.#failures = 0;
    this.#arm(afterMs);
  }

  #failed(afterMs: number): void {
    const max = this.#hasCome ? FAILED_MAX_MS : WAIT_MAX_MS;
    const waitMs = Math.min(FAILED_MS * 2 ** this.#failures, max);
    this.#failures += 1;
    this.#arm(Math.max(waitMs, afterMs));
  }

  async #take(sessionId: string, status: StreamedStatus): Promise<void> {
    const { keeper, state, endingOf, look } = this.#deps;
    const { PingStatus, Reason: code = 'unexpected', ReplacedBy: replacedBy } = status;
    if (PingStatus > 2) {
      const ending = endingOf({ status: 401, code, loginStatus: undefined, replacedBy });
      return ending === undefined ? look() : keeper.end(sessionId, ending);
    }
    if (state.session()?.id === sessionId) state.restrict(PingStatus === 2);
  }
}

export interface ReadDeps {
  fetch: Fetch;
  base: string;
  /** Returns a valid token. If `refused` is given, a different one. */
  access: (refused?: Access) => Promise<Access>;
  /** The seconds to wait, according to a response. */
  retryAfterOf: typeof retryAfterOf;
  /** Called with every status in the stream. */
  onStatus: (sessionId: string, status: StreamedStatus) => void;
  /** Called whenever something is received. */
  onLife: () => void;
}

/** How a stream ended. `refused`: the server offers no streams. */
export type StreamEnd = { kind: 'over' | 'failed'; afterMs: number } | { kind: 'refused' };

/** If nothing arrives in this time, a proxy is probably buffering the response. */
const FIRST_WITHIN_MS = 10_000;
/** The server sends something every 20 s. */
const NEXT_WITHIN_MS = 45_000;

/** Reads one stream to its end, or until it is silent for too long. */
async function readSession(deps: ReadDeps, stopping: AbortController): Promise<StreamEnd> {
  const { signal } = stopping;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expect = (withinMs: number): void => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => stopping.abort(), withinMs);
  };
  // On some platforms an abort does not end a read.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new TypeError('aborted')), { once: true });
  });
  expect(FIRST_WITHIN_MS);
  try {
    return await Promise.race([read(deps, signal, () => expect(NEXT_WITHIN_MS)), aborted]);
  } finally {
    clearTimeout(timer);
  }
}

async function read(
  { fetch, base, access, retryAfterOf, onStatus, onLife }: ReadDeps,
  signal: AbortSignal,
  expectNext: () => void,
): Promise<StreamEnd> {
  const current = await access();
  const response = await fetch(`${base}/account/session/stream`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${current.token}` },
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal,
  });
  const { body } = response;
  if (!isStream(response) || body === null)
    return endOf(response, retryAfterOf(response) ?? 0, () => access(current));
  let [hasStatus, retryMs] = [false, 0];
  await readStatusEvents(body, (part) => {
    expectNext();
    retryMs = part.retryMs ?? retryMs;
    hasStatus ||= part.status !== undefined;
    if (part.status !== undefined) onStatus(current.session.id, part.status);
    onLife();
  });
  return { kind: hasStatus ? 'over' : 'failed', afterMs: retryMs };
}

function isStream({ ok, headers }: Response): boolean {
  return ok && headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** How to continue after a response that is not a stream. */
async function endOf(
  response: Response,
  retryAfterSeconds: number,
  renew: () => Promise<unknown>,
): Promise<StreamEnd> {
  const { status } = response;
  await response.body?.cancel();
  // The refresh finds out whether the session is over or only the token has expired.
  if (status === 401) await renew();
  const isTransient = status === 401 || status === 429 || status >= 500;
  if (!isTransient) return { kind: 'refused' };
  return { kind: 'failed', afterMs: retryAfterSeconds * 1000 };
}

/** A status of the session, as sent by the stream (docs/session-streams.md). */
export interface StreamedStatus {
  PingStatus: number;
  /** Only if the session is over. */
  Reason?: ClientErrorCode;
  ReplacedBy?: ReplacedBy;
}

/** A part of the stream: a status, when to reconnect, or only a sign of life. */
export interface StreamPart {
  status?: StreamedStatus | undefined;
  retryMs?: number | undefined;
}

/** The maximum length of a part. Gatehouse's own have a few hundred characters. */
const LENGTH_MAX = 65_536;

/** Reads server-sent events (HTML, section "Server-sent events") to the end of the stream. */
async function readStatusEvents(
  body: ReadableStream<Uint8Array>,
  hear: (part: StreamPart) => void,
): Promise<void> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const parts = rest.split(/\r?\n\r?\n/);
    rest = parts.pop() ?? '';
    if (rest.length > LENGTH_MAX) throw new TypeError('the stream is none of events');
    for (const part of parts) hear(readPart(part));
  }
}

function readPart(text: string): StreamPart {
  const fields = new Map(
    text.split(/\r?\n/).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    }),
  );
  const data = fields.get('event') === 'status' ? fields.get('data') : undefined;
  return {
    status: data === undefined ? undefined : (JSON.parse(data) as StreamedStatus), // as documented
    retryMs: Number(fields.get('retry')) || undefined,
  };
}
