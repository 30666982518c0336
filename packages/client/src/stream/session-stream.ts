import type { endingOf } from '../session/ending.ts';
import type { SessionKeeper } from '../session/session-keeper.ts';
import type { StateStore } from '../session/state.ts';
import type { TabMessage } from '../session/tabs.ts';
import { readSession, type ReadDeps, type StreamEnd } from './read-session.ts';
import type { StreamedStatus } from './status-events.ts';

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
