import { cachedSessionOf, type AccountsDeps } from '@gatehouse/accounts';
import type { Replacement } from '@gatehouse/auth-core';
import { userSessions, type SessionState } from '@gatehouse/db';
import { pingStatusOf, refusalOf, type Reading, type SessionRefusal } from '@gatehouse/redis';
import { PingStatus, SessionStatus } from '@gatehouse/schema';

/** The status that a session's client is sent, the same as for a ping. */
export interface WatchedStatus {
  status: PingStatus;
  /** Why the session no longer gives access; the watch is over then. */
  reason: SessionRefusal | undefined;
  replacedBy: Replacement | undefined;
}

interface Watched {
  accountId: string;
  sessionId: string;
  /** When the credential of the watching client expires, in milliseconds since the epoch. */
  expiresAt: number | undefined;
  /** If the watch counts as a ping: the content that is being watched meanwhile. */
  presence: { contentDefinitionId: string | undefined } | undefined;
  /** Called with the status, at once and whenever it changes. */
  onStatus: (status: WatchedStatus) => void;
  /** Called after the session was read and found valid. */
  onBeat: () => void;
  onEnd: () => void;
}

interface Watching extends Watched {
  /** The last version that was sent; older versions are not sent any more. */
  lastSent: { status: PingStatus; version: number } | undefined;
  beatAt: number;
}

const BEAT_MS = 20_000;
/** When a session that could not be read is read again. */
const AGAIN_MS = 2000;
/** How long a watch continues after its token has expired, so that its client can return with a new one. */
const GRACE_MS = 5000;
/** How many sessions one query reads. */
const BATCH_MAX = 500;

/** Reports changes of sessions to their clients immediately (docs/session-streams.md). */
export class SessionWatch {
  readonly #deps: AccountsDeps;
  readonly #bySession = new Map<string, Set<Watching>>();
  /** Sessions to read from Postgres: they have changed, or nothing is known about them yet. */
  readonly #changed = new Set<string>();
  #unfollow: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isPositionKnown = false;

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
  }

  /** Watches a session; returns the function that ends the watch. */
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
      // The result is ignored: it may be older than the next status that is sent. A failure shows at the next
      // heartbeat.
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
      // The feed does not report changes from before its first call, so all sessions are read then.
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
      // Nothing is sent, as nothing is known; a later tick tries again.
    }
  }

  /** Reads changed sessions from Postgres, because their cached copies may not have been written yet. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#changed.size > 0) {
      const ids = [...this.#changed].slice(0, BATCH_MAX);
      for (const id of ids) this.#changed.delete(id);
      try {
        await this.#lookAt(ids);
      } catch {
        // Postgres is unavailable: a later tick tries again. Watches without any status so far use the cached copy.
        this.#lookAgain(ids);
        for (const watching of this.#all(ids))
          if (watching.lastSent === undefined) void this.#beat(watching, this.#deps.now());
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

/** The status to report for a session; a session that cannot be found has ended. */
async function watchedStatusOf(deps: AccountsDeps, reading: Reading | undefined): Promise<WatchedStatus> {
  const ended = { status: PingStatus.SessionDeactivated, replacedBy: undefined };
  if (reading === undefined) return { ...ended, reason: 'session_ended' };
  const idleSeconds = deps.settings.SESSION_IDLE_SECONDS;
  const isReplaced = reading.session.status === SessionStatus.SessionReplaced;
  return {
    status: pingStatusOf(reading, idleSeconds),
    reason: refusalOf(reading, idleSeconds),
    replacedBy: isReplaced ? await deps.findReplacement(reading.session) : undefined,
  };
}

/** A session as stored in Postgres, except that its cached copy may have been seen later. */
function readingOf(state: SessionState, copy: Reading | undefined): Reading {
  const session = cachedSessionOf(state);
  const lastSeenAt = Math.max(session.lastSeenAt, copy?.session.lastSeenAt ?? 0);
  return { session: { ...session, lastSeenAt }, nowSeconds: state.readAt };
}
