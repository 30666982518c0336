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

/** Reads by key; callers may share one read, which always begins after they have asked. */
export type SharedReads<T> = (key: string) => Promise<T>;

/**
 * Lets callers that ask for the same key while a read is under way share the read that follows it: one that has begun
 * earlier may not see what was committed before they asked. So however many ask, two reads of a key are enough at any
 * moment, and nothing is kept.
 */
export function createSharedReads<T>(read: (key: string) => Promise<T>): SharedReads<T> {
  const running = new Map<string, Promise<T>>();
  const following = new Map<string, Promise<T>>();
  const begin = (key: string): Promise<T> => {
    const reading = read(key).finally(() => {
      if (running.get(key) === reading) running.delete(key);
    });
    running.set(key, reading);
    return reading;
  };
  const follow = async (key: string, earlier: Promise<T>): Promise<T> => {
    await earlier.catch(() => undefined);
    following.delete(key);
    return begin(key);
  };
  return (key) => {
    const earlier = running.get(key);
    if (earlier === undefined) return begin(key);
    const shared = following.get(key) ?? follow(key, earlier);
    following.set(key, shared);
    return shared;
  };
}
