import { sessionEvents } from '@gatehouse/db';
import type { Db, EventPosition, FreshRange, SessionChange } from '@gatehouse/db';
import type { Log } from '@gatehouse/runtime';

export interface SessionFeed {
  /**
   * Subscribes to changes from now on, made by any process; returns the function that unsubscribes. The listener is
   * first called once the starting position is known: a caller who reads sessions after that misses no change.
   */
  follow(listener: FeedListener): () => void;
  /** Call this after a commit, so that a change made by this process is delivered at once. */
  wake(): void;
  stop(): void;
}

/** Changes in any order, each at least once, and the position before which all were sent (docs/session-streams.md). */
export type FeedListener = (changes: readonly SessionChange[], settled: EventPosition) => void;

const POLL_MS = 500;
const PAGE_MAX = 1000;

/**
 * One query every half second for all subscribers, none without any. It reads a table, so it needs neither Redis nor a
 * connection of its own, and continues after an outage. What was delivered is remembered as a snapshot, whose size
 * depends on running transactions: a long one holds back the settled position, but nothing grows here.
 */
export function createSessionFeed({ db, log }: { db: Db; log: Log }): SessionFeed {
  const listeners = new Set<FeedListener>();
  /** Subscribers that have not received the unsettled changes yet. */
  const newListeners = new Set<FeedListener>();
  /** Changes visible in this snapshot have been delivered. */
  let seen: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let isWakePending = false;
  let isDownKnown = false;

  const notify = (to: ReadonlySet<FeedListener>): FeedListener => {
    return (...args) => {
      for (const listener of to) if (listeners.has(listener)) listener(...args);
    };
  };
  const read = async (): Promise<void> => {
    const from = seen ?? (await sessionEvents.takeSnapshot(db));
    const after = sessionEvents.settledPositionOf(from);
    seen = from;
    const introduced = new Set(newListeners);
    if (introduced.size > 0) await deliverPages(db, { after, upTo: from }, notify(introduced));
    for (const listener of introduced) newListeners.delete(listener);
    const known = new Set([...listeners].filter((listener) => !newListeners.has(listener)));
    seen = await deliverPages(db, { after, seen: from }, notify(known));
  };

  const turn = async (): Promise<void> => {
    clearTimeout(timer);
    if (listeners.size === 0) seen = undefined;
    if (listeners.size === 0 || isReading) return void (isWakePending = true);
    isReading = true;
    isWakePending = false;
    try {
      await read();
      isDownKnown = false;
    } catch (error) {
      if (!isDownKnown) log.warn('failed to read session changes, retrying', { error });
      isDownKnown = true;
    }
    isReading = false;
    if (isWakePending) void turn();
    else timer = setTimeout(() => void turn(), POLL_MS);
  };

  return {
    follow: (listener) => {
      listeners.add(listener);
      newListeners.add(listener);
      void turn();
      return () => {
        listeners.delete(listener);
        newListeners.delete(listener);
      };
    },
    wake: () => {
      if (listeners.size > 0) void turn();
    },
    stop: () => {
      listeners.clear();
      newListeners.clear();
      clearTimeout(timer);
    },
  };
}

/** Delivers the changes in the range, page by page; returns the snapshot in which they were read. */
async function deliverPages(db: Db, range: FreshRange, notify: FeedListener): Promise<string> {
  let { after, upTo } = range;
  for (;;) {
    const { changes, snapshot } = await sessionEvents.findFresh(db, { ...range, after, upTo }, PAGE_MAX);
    const last = changes.length === PAGE_MAX ? changes.at(-1) : undefined;
    notify(changes, last === undefined ? sessionEvents.settledPositionOf(snapshot) : range.after);
    if (last === undefined) return snapshot;
    [after, upTo] = [last, snapshot];
  }
}
