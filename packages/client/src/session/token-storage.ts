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

const STORE = 'sessions';

/** Stores one copy for all tabs of the origin, in IndexedDB, which runs write transactions one after another. */
export function sharedStorage(key: string): TokenStorage {
  // If the browser refuses storage (as it may without cookies), this tab uses memory.
  const chosen = open().then((db): TokenStorage => {
    db.close();
    return { read: () => transact(key), update: (change) => transact(key, change) };
  }, memoryStorage);
  return {
    read: async () => (await chosen).read(),
    update: async (change) => (await chosen).update(change),
  };
}

async function transact(
  key: string,
  change?: (kept: Kept | undefined) => Kept | undefined,
): Promise<Kept | undefined> {
  // Opened for each use: in some browsers an open database keeps pages out of the back-forward cache.
  const db = await open();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, change === undefined ? 'readonly' : 'readwrite');
    const store = transaction.objectStore(STORE);
    let kept: Kept | undefined;
    const reading = store.get(key);
    reading.onsuccess = () => {
      kept = reading.result as Kept | undefined; // only this client writes it
      if (change === undefined) return;
      kept = change(kept);
      if (kept === undefined) store.delete(key);
      else store.put(kept, key);
    };
    transaction.oncomplete = () => {
      db.close();
      resolve(kept);
    };
    transaction.addEventListener('abort', () => {
      db.close();
      reject(transaction.error ?? new Error('aborted'));
    });
  });
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('gatehouse', 1);
    opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.addEventListener('error', () => reject(opening.error ?? new Error('refused')));
  });
}
