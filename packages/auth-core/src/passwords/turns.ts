/** Runs a job when its turn comes. */
export type Turns = <T>(job: () => Promise<T>) => Promise<T>;

/** The queue was full, or the turn did not come in time. */
export class NoTurn extends Error {
  override name = 'NoTurn';
}

/**
 * Lets `width` jobs run at once and `waitingMax` more wait, first come first served, none longer than `waitMs`.
 * A job that has not had its turn by then has cost nothing; whom it was for has gone or will try again.
 */
export function createTurns(options: { width: number; waitingMax: number; waitMs: number }): Turns {
  const { width, waitingMax, waitMs } = options;
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(new NoTurn('the turn did not come in time'));
      }, waitMs);
      const start = (): void => {
        clearTimeout(timer);
        waiting.delete(start);
        resolve();
      };
      waiting.add(start);
    });

  return async (job) => {
    if (running >= width) {
      if (waiting.size >= waitingMax) throw new NoTurn('the queue is full');
      await turn();
    } else running += 1;
    try {
      return await job();
    } finally {
      // The place goes on to the next in line, so that nobody who comes now can take it first.
      const [next] = waiting;
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
