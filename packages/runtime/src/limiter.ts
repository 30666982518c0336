/** Runs a job as soon as the limit allows. */
export interface Limiter {
  <T>(job: () => Promise<T>): Promise<T>;
  /** The number of running and of waiting jobs. */
  load(): { running: number; waiting: number };
}

/** The queue was full, or the job waited for too long. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

/**
 * Runs `width` jobs at once and lets `waitingMax` more wait, in order of arrival, each for at most `waitMs`. A refused
 * job was not started.
 */
export function createLimiter(options: { width: number; waitingMax: number; waitMs: number }): Limiter {
  const { width, waitingMax, waitMs } = options;
  let running = 0;
  const waiting = new Set<() => void>();

  const nextPlace = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(new QueueFull('waited in the queue for too long'));
      }, waitMs);
      const start = (): void => {
        clearTimeout(timer);
        waiting.delete(start);
        resolve();
      };
      waiting.add(start);
    });

  const limit = async <T>(job: () => Promise<T>): Promise<T> => {
    if (running >= width) {
      if (waiting.size >= waitingMax) throw new QueueFull('the queue is full');
      await nextPlace();
    } else running += 1;
    try {
      return await job();
    } finally {
      // The place is passed to the next job in line, so that a new job cannot take it first.
      const [next] = waiting;
      if (next === undefined) running -= 1;
      else next();
    }
  };
  return Object.assign(limit, { load: () => ({ running, waiting: waiting.size }) });
}
