/** Does work of one key one after another, in the order of asking; work of other keys is not held up. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Holds within this process; what must hold across processes is for Postgres to decide. */
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
