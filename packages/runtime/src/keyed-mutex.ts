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
