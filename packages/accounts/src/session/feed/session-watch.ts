import { userSessions } from '@gatehouse/db';
import type { PingStatus } from '@gatehouse/schema';
import type { Reading } from '@gatehouse/session-cache';
import type { AccountsDeps } from '../../deps.ts';
import { readingOf, watchedStatusOf, type WatchedStatus } from './watched-status.ts';

/** A session that somebody watches. */
interface Watched {
  accountId: string;
  sessionId: string;
  /** When the credential ends by which it is watched, in milliseconds since the epoch. */
  expiresAt: number | undefined;
  /** Whether the watch counts as a ping, and what is being watched meanwhile. */
  presence: { contentDefinitionId: string | undefined } | undefined;
  /** The status, at once and whenever it is another. */
  onStatus: (status: WatchedStatus) => void;
  /** The session has just been read, and stands. */
  onBeat: () => void;
  /** The watch is over. */
  onEnd: () => void;
}

type WatchDeps = Pick<
  AccountsDeps,
  'db' | 'sessionCache' | 'sessionFeed' | 'findReplacement' | 'settings' | 'now'
>;

interface Watching extends Watched {
  /** The last version that was sent; older versions are dropped. */
  lastSent: { status: PingStatus; version: number } | undefined;
  beatAt: number;
}

const BEAT_MS = 20_000;
/** Until a session is looked at again that could not be read. */
const AGAIN_MS = 2000;
/** How long a watch goes on after its token has expired, for its client to come with another. */
const GRACE_MS = 5000;
/** How many sessions one query reads. */
const BATCH_MAX = 500;

/** Tells of sessions as soon as they change (docs/session-streams.md). */
export class SessionWatch {
  readonly #deps: WatchDeps;
  readonly #bySession = new Map<string, Set<Watching>>();
  /** Sessions to be read where they are kept: they have changed, or nothing is known of them yet. */
  readonly #changed = new Set<string>();
  #unfollow: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isPositionKnown = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** Watches a session; returns what ends that. */
  watch(session: Watched): () => void {
    const { accountId, sessionId, presence } = session;
    const beatAt = this.#deps.now() + BEAT_MS * (0.5 + Math.random() / 2);
    const watching: Watching = { ...session, lastSent: undefined, beatAt };
    const all = this.#bySession.get(sessionId);
    if (all === undefined) this.#bySession.set(sessionId, new Set([watching]));
    else all.add(watching);
    this.#begin();
    this.#changed.add(sessionId);
    void this.#look();
    if (presence !== undefined) {
      // The result may be older than what is sent next; a failure shows at the next heartbeat.
      this.#deps.sessionCache.touch(accountId, sessionId, presence.contentDefinitionId).catch(() => {});
    }
    return () => this.#end(watching);
  }

  stop(): void {
    for (const watching of this.#all()) this.#end(watching);
    this.#rest();
  }

  #all(sessionIds: Iterable<string> = this.#bySession.keys()): Watching[] {
    return [...sessionIds].flatMap((id) => [...(this.#bySession.get(id) ?? [])]);
  }

  #isOn(watching: Watching): boolean {
    return this.#bySession.get(watching.sessionId)?.has(watching) === true;
  }

  #end(watching: Watching): void {
    const all = this.#bySession.get(watching.sessionId);
    if (all?.delete(watching) !== true) return;
    if (all.size === 0) this.#bySession.delete(watching.sessionId);
    if (this.#bySession.size === 0) this.#rest();
    watching.onEnd();
  }

  #begin(): void {
    this.#timer ??= setInterval(() => this.#tick(), 1000);
    this.#unfollow ??= this.#deps.sessionFeed.follow((changes) => {
      // What changed before the feed knew where it was, it does not tell.
      const ids = this.#isPositionKnown ? changes.map(({ sessionId }) => sessionId) : this.#bySession.keys();
      this.#isPositionKnown = true;
      this.#lookAgain(ids);
      void this.#look();
    });
  }

  #rest(): void {
    this.#unfollow?.();
    clearInterval(this.#timer);
    this.#unfollow = undefined;
    this.#timer = undefined;
    this.#isPositionKnown = false;
  }

  #tick(): void {
    const at = this.#deps.now();
    for (const watching of this.#all()) {
      const isExpired = watching.expiresAt !== undefined && at >= watching.expiresAt + GRACE_MS;
      if (isExpired) this.#end(watching);
      else if (at >= watching.beatAt) void this.#beat(watching, at);
    }
    void this.#look();
  }

  /** Reads the session and reports that it is active, or why it ended. */
  async #beat(watching: Watching, at: number): Promise<void> {
    const { sessionCache } = this.#deps;
    const { accountId, sessionId, presence } = watching;
    watching.beatAt = at + AGAIN_MS;
    try {
      const reading = await (presence === undefined
        ? sessionCache.read(accountId, sessionId)
        : sessionCache.touch(accountId, sessionId, presence.contentDefinitionId));
      watching.beatAt = at + BEAT_MS;
      await this.#notify(watching, reading);
      if (this.#isOn(watching)) watching.onBeat();
    } catch {
      // Silence says that nothing is known; a later tick tries again.
    }
  }

  /** Reads what has changed in Postgres: its copy may not have been written yet. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#changed.size > 0) {
      const ids = [...this.#changed].slice(0, BATCH_MAX);
      for (const id of ids) this.#changed.delete(id);
      try {
        await this.#lookAt(ids);
      } catch {
        // Postgres is away: a later tick tries again, and who knows nothing yet makes do with the copy.
        this.#lookAgain(ids);
        const { now } = this.#deps;
        for (const watching of this.#all(ids)) {
          if (watching.lastSent === undefined) void this.#beat(watching, now());
        }
        break;
      }
    }
    this.#isLooking = false;
  }

  #lookAgain(ids: Iterable<string>): void {
    for (const id of ids) if (this.#bySession.has(id)) this.#changed.add(id);
  }

  async #lookAt(ids: readonly string[]): Promise<void> {
    const states = new Map(
      (await userSessions.findStates(this.#deps.db, ids)).map((state) => [state.sessionId, state]),
    );
    const notify = async (watching: Watching): Promise<void> => {
      const { accountId, sessionId } = watching;
      const copy = await this.#deps.sessionCache.read(accountId, sessionId).catch(() => undefined);
      const state = states.get(sessionId);
      const isTheirs = state !== undefined && state.accountId === accountId;
      await this.#notify(watching, isTheirs ? readingOf(state, copy) : undefined);
    };
    await Promise.all(this.#all(ids).map(notify));
  }

  async #notify(watching: Watching, reading: Reading | undefined): Promise<void> {
    const version = reading?.session.version ?? Infinity;
    const status = await watchedStatusOf(this.#deps, reading);
    const { lastSent } = watching;
    if (!this.#isOn(watching) || (lastSent !== undefined && version < lastSent.version)) return;
    if (lastSent?.status !== status.status || status.reason !== undefined) watching.onStatus(status);
    watching.lastSent = { status: status.status, version };
    if (status.reason !== undefined) this.#end(watching);
  }
}
