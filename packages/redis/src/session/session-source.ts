import type { CachedSession } from './cached-session.ts';

/** Where sessions are stored permanently; read when the cache cannot answer. */
export interface SessionSource {
  /** Returns the current sessions; unknown ids are ignored. */
  load(sessionIds: readonly string[]): Promise<CachedSession[]>;
  /**
   * Passes every session whose copy may not have reached Redis to `write`, which returns the ids that failed again; all
   * others are removed from the list. Resolves to the position reached; `after` skips everything up to a position.
   */
  catchUp(
    write: (sessions: readonly CachedSession[]) => Promise<ReadonlySet<string>>,
    after?: string,
  ): Promise<string>;
}

/** A session, and the time when it was read, by the clock of the server that returned it (epoch seconds). */
export interface Reading {
  session: CachedSession;
  nowSeconds: number;
}
