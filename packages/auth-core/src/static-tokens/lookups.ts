import { LRUCache } from 'lru-cache';

/**
 * A short memory before a place that can be asked for many things at once. An answer, "there is none" too, holds
 * for `freshMs` from when the question was put: a change there is known here that much later at most. One
 * question is out at a time, however many callers wait and whatever they wait for, so that neither a crowd nor a
 * flood of things that do not exist becomes a flood of questions.
 */
export function createLookups<T>(options: {
  /** Finds what there is of these keys. */
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  freshMs: number;
  /** How many answers are remembered; those that were not asked for longest make room. */
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
    /** What there is of a key: at once when it was asked for lately, else as a promise, which fails with `find`. */
    get(key: string): T | undefined | Promise<T | undefined> {
      const answer = recall(key);
      if (answer !== undefined) return answer.value;
      return new Promise((resolve, reject) => {
        waiting.push({ key, resolve, reject });
        if (isAsking) return;
        isAsking = true;
        // All that this turn of the event loop brings goes into one question.
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
