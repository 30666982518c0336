import { LRUCache } from 'lru-cache';

/**
 * A short-lived cache in front of a source that can look up many keys at once. A result, including "not found", is
 * valid for `freshMs` from when it was requested: a change in the source is seen at most that much later. Only one
 * query runs at a time, however many callers wait for any keys, so that neither many callers nor many unknown keys
 * cause many queries.
 */
export function createLookups<T>(options: {
  /** Looks up these keys; keys that do not exist are absent from the result. */
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  freshMs: number;
  /** The maximum number of cached results; the least recently used are dropped. */
  max: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}) {
  const { find, freshMs, max, now = () => performance.now() } = options;
  const answers = new LRUCache<string, Answer<T>>({ max });
  let waiting: Waiting<T>[] = [];
  let isAsking = false;

  const recall = (key: string): Answer<T> | undefined => {
    const answer = answers.get(key);
    return answer !== undefined && now() - answer.askedAt < freshMs ? answer : undefined;
  };

  async function askForAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await ask(batch);
      waiting = waiting.filter(({ key, resolve }) => {
        const answer = recall(key);
        if (answer !== undefined) resolve(answer.value);
        return answer === undefined;
      });
    }
    isAsking = false;
  }

  async function ask(batch: readonly Waiting<T>[]): Promise<void> {
    const askedAt = now();
    try {
      const found = await find([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) {
        const value = found.get(key);
        answers.set(key, { value, askedAt });
        resolve(value);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    /** The value of a key: synchronous if it is cached, otherwise a promise, which rejects if `find` does. */
    get(key: string): T | undefined | Promise<T | undefined> {
      const answer = recall(key);
      if (answer !== undefined) return answer.value;
      return new Promise((resolve, reject) => {
        waiting.push({ key, resolve, reject });
        if (isAsking) return;
        isAsking = true;
        // All keys of this turn of the event loop go into one query.
        setImmediate(() => void askForAll());
      });
    },
  };
}

interface Answer<T> {
  value: T | undefined;
  askedAt: number;
}

interface Waiting<T> {
  key: string;
  resolve: (value: T | undefined) => void;
  reject: (error: unknown) => void;
}

const BATCH_MAX = 256;
