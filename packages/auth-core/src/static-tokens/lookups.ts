import { LRUCache } from 'lru-cache';

/**
 * A short-lived cache in front of a source that can be asked for many keys at once. An answer, also "there is none",
 * counts for `freshMs` from when it was asked: a change in the source is seen here that much later at most. One query
 * runs at a time, however many callers wait for whatever keys, so that neither a crowd nor a flood of unknown keys
 * becomes a flood of queries.
 */
export function createLookups<T>(options: {
  /** Finds what there is of these keys. */
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  freshMs: number;
  /** Answers that are kept at most; the least recently used make room. */
  max: number;
  /** Milliseconds that never go back. */
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
    /** The value of a key: synchronously when it was asked for lately, else as a promise, which fails with `find`. */
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
