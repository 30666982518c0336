import type { Ending } from './ending.ts';

export interface SessionFacts {
  /** A UUID version 7: the later of two sessions has the greater id. */
  id: string;
  accountId: string;
  role: string;
  /** The identity provider that renews the tokens; `undefined` if the session was opened with a password. */
  provider?: string | undefined;
}

/** The session of this browser, shared by all its tabs. */
export interface KeptSession extends SessionFacts {
  refreshToken: string;
  /** When the tokens were issued, in seconds of the server's clock. */
  issuedAt: number;
}

/** Everything that is stored. */
export interface Kept {
  /** Increases with every change: shows which of two states is older. */
  counter: number;
  session?: KeptSession | undefined;
  /** The tab that is requesting new tokens, since when (this machine's clock), and how long the others wait. */
  asking?: { tab: string; at: number; forMs: number } | undefined;
  /** How the previous session ended, for tabs that were suspended. */
  ended?: { sessionId: string; ending: Ending } | undefined;
}

/** The storage of the refresh token. */
export interface TokenStorage {
  read(): Promise<Kept | undefined>;
  /**
   * Replaces the stored state with the result of `change`, and returns that. No other tab may read or write between the
   * two steps. `change` may be called more than once.
   */
  update(change: (kept: Kept | undefined) => Kept | undefined): Promise<Kept | undefined>;
}

/** Stores the state in memory, until the page is closed or the process exits. */
export function memoryStorage(): TokenStorage {
  let kept: Kept | undefined;
  return {
    read: async () => kept,
    update: async (change) => (kept = change(kept)),
  };
}
