import { sessionEvents, type Db, type EventPosition, type SessionChange } from '@gatehouse/db';
import type { Log } from '@gatehouse/runtime';

/** Follows the changes of all sessions while somebody wants to know of them. */
export interface SessionFeed {
  /**
   * Tells of changes from now on, at once and whatever process makes them; returns what ends that. The first word comes when
   * it is known where "now" is: whoever reads sessions after that misses none.
   */
  follow(listener: FeedListener): () => void;
  /** To be called after a commit, so that a change of this process is told at once. */
  wake(): void;
  stop(): void;
}

/**
 * Changes as they become visible, in any order, each at least once, and the position up to which all have been told
 * (docs/session-streams.md).
 */
export type FeedListener = (changes: readonly SessionChange[], settled: EventPosition) => void;

const POLL_MS = 500;
const PAGE_MAX = 1000;

/**
 * One query every half a second for all that listen, and none while nobody does. It reads the table where the changes are kept,
 * so that it needs neither Redis nor a connection of its own, and goes on after an outage where it was.
 */
export function createSessionFeed({ db, log }: { db: Db; log: Log }): SessionFeed {
  const listeners = new Set<FeedListener>();
  let settled: EventPosition | undefined;
  /** What has been told although an older transaction may still come before it, by number. */
  let unsettled = new Map<string, SessionChange>();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let isWoken = false;
  let isDownKnown = false;

  const tell = (changes: readonly SessionChange[], at: EventPosition): void => {
    for (const listener of listeners) listener(changes, at);
  };

  const read = async (): Promise<void> => {
    if (settled === undefined) {
      settled = await sessionEvents.findEnd(db);
      return tell([], settled);
    }
    const news = await readNews(db, settled, unsettled);
    settled = news.settled;
    unsettled = news.unsettled;
    tell(news.changes, settled);
  };

  const turn = async (): Promise<void> => {
    clearTimeout(timer);
    if (listeners.size === 0) {
      settled = undefined;
      unsettled = new Map();
    }
    if (listeners.size === 0 || isReading) return void (isWoken = true);
    isReading = true;
    isWoken = false;
    try {
      await read();
      isDownKnown = false;
    } catch (error) {
      if (!isDownKnown) log.warn('failed to follow the changes of sessions, retrying', { error });
      isDownKnown = true;
    }
    isReading = false;
    if (isWoken) void turn();
    else timer = setTimeout(() => void turn(), POLL_MS);
  };

  return {
    follow: (listener) => {
      listeners.add(listener);
      if (settled !== undefined) listener([...unsettled.values()], settled);
      else if (!isReading) void turn();
      return () => void listeners.delete(listener);
    },
    wake: () => {
      if (listeners.size > 0) void turn();
    },
    stop: () => {
      listeners.clear();
      clearTimeout(timer);
    },
  };
}

/** What has become visible since: the rest of the changes behind the settled ones that was not told yet. */
async function readNews(db: Db, from: EventPosition, told: ReadonlyMap<string, SessionChange>) {
  const changes: SessionChange[] = [];
  const unsettled = new Map<string, SessionChange>();
  let settled = from;
  let at = from;
  let isWhole = true;
  for (;;) {
    const page = await sessionEvents.findFresh(db, at, PAGE_MAX);
    if (isWhole) settled = page.settled;
    // A later page sees later commits, of which some may belong before the last of this one.
    isWhole &&= page.changes.every(({ isSettled }) => isSettled);
    for (const change of page.changes) {
      if (!told.has(change.seq)) changes.push(change);
      if (!isWhole) unsettled.set(change.seq, change);
    }
    const last = page.changes.at(-1);
    if (page.isAll || last === undefined) return { changes, settled, unsettled };
    at = last;
  }
}
