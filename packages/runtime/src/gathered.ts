/** Values by key that are saved from time to time: no request waits for that. By default the latest value counts. */
export function createGathered<K, V>(merge = (_earlier: V, later: V): V => later) {
  let gathered = new Map<K, V>();
  const add = (key: K, value: V): void => {
    const earlier = gathered.get(key);
    gathered.set(key, earlier === undefined ? value : merge(earlier, value));
  };
  return {
    add,

    /** Saves what was added since the last call; what cannot be saved is kept for the next one. */
    async flush(save: (taken: ReadonlyMap<K, V>) => Promise<void>): Promise<void> {
      const taken = gathered;
      if (taken.size === 0) return;
      gathered = new Map();
      try {
        await save(taken);
      } catch (error) {
        const later = gathered;
        gathered = taken;
        for (const [key, value] of later) add(key, value);
        throw error;
      }
    },
  };
}
