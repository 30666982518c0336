import { memoryStorage, type Kept, type TokenStorage } from './token-storage.ts';

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
