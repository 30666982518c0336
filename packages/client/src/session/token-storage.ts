import type { Ending } from './ending.ts';

export interface SessionFacts {
  /** UUIDs of version 7: of two sessions, the later one has the greater id. */
  id: string;
  accountId: string;
  role: string;
  /** Who renews its tokens; `undefined` for a session of a password. */
  provider?: string | undefined;
}

/** The session that a browser has, as all of its tabs know it. */
export interface KeptSession extends SessionFacts {
  refreshToken: string;
  /** When the tokens were made, in seconds of the server's clock. */
  issuedAt: number;
}

/** All that is kept, in one place. */
export interface Kept {
  /** One more with every change: which of two is older. */
  counter: number;
  session?: KeptSession | undefined;
  /** Which tab asks for new tokens, since when by this machine's clock, and how long the others leave it to that tab. */
  asking?: { tab: string; at: number; forMs: number } | undefined;
  /** How the previous session ended, for tabs that were asleep. */
  ended?: { sessionId: string; ending: Ending } | undefined;
}

/** Where the one copy of the refresh token is. */
export interface TokenStorage {
  read(): Promise<Kept | undefined>;
  /**
   * Replaces what is kept by what `change` makes of it, and gives that back. Nobody else reads or writes between the two;
   * `change` may be called more than once.
   */
  update(change: (kept: Kept | undefined) => Kept | undefined): Promise<Kept | undefined>;
}

/** Keeps it as long as the page, or the process, lives. */
export function memoryStorage(): TokenStorage {
  let kept: Kept | undefined;
  return {
    read: async () => kept,
    update: async (change) => (kept = change(kept)),
  };
}
