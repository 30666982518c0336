import { LRUCache } from 'lru-cache';

/** Runs jobs of the same key one after another, in order; jobs of other keys are not delayed. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Works within this process only; Postgres coordinates processes. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** Reads by key what may be as old as the reader says. */
export type RecentReads<T> = (key: string) => Promise<T>;

/**
 * Remembers each read for `maxAgeMs` from its beginning: what is committed counts at the latest that long afterwards,
 * and however many ask, a key is read once in that time. A failure is told to those who share it, and not remembered.
 */
export function createRecentReads<T>(
  read: (key: string) => Promise<T>,
  { maxAgeMs, max }: { maxAgeMs: number; max: number },
): RecentReads<T> {
  const recent = new LRUCache<string, Promise<T>>({ max, ttl: maxAgeMs });
  return (key) => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const reading = read(key);
    recent.set(key, reading);
    reading.catch(() => {
      if (recent.peek(key) === reading) recent.delete(key);
    });
    return reading;
  };
}
