import type { CachedSession } from './cached-session.ts';

/** Where sessions are stored permanently; read when the cache cannot answer. */
export interface SessionSource {
  /** The current sessions; those that do not exist are left out. */
  load(sessionIds: readonly string[]): Promise<CachedSession[]>;
  /**
   * Passes every session whose copy may not have reached Redis to `write`, which returns the ids that failed again;
   * all others are forgotten. Resolves to the position reached; `after` skips what is before a position.
   */
  catchUp(
    write: (sessions: readonly CachedSession[]) => Promise<ReadonlySet<string>>,
    after?: string,
  ): Promise<string>;
}

/** A session, and the time by the clock of the server that it was read from (epoch seconds). */
export interface Reading {
  session: CachedSession;
  nowSeconds: number;
}
