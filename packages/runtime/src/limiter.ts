import { createFairQueue, type Path } from './fair-queue.ts';

/** Runs a job as soon as the limit allows. `from`: the groups of whoever causes it, if it is caused by a client. */
export interface Limiter {
  <T>(job: () => Promise<T>, from?: Path): Promise<T>;
  /** Whether a job from there would run or wait, if it came now. */
  hasPlace(from: Path | undefined): boolean;
  load(): { running: number; waiting: number };
}

/** The queue was full, or the job waited for too long. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

interface Waiting {
  start(): void;
  refuse(reason: string): void;
}

/**
 * Runs `width` jobs at once and lets `waitingMax` more wait, each for at most `waitMs`. The groups of those that wait
 * take turns, and share the places when all are taken. A refused job was not started.
 */
export function createLimiter(options: { width: number; waitingMax: number; waitMs: number }): Limiter {
  const { width, waitingMax, waitMs } = options;
  let running = 0;
  const queue = createFairQueue<Waiting>(waitingMax);

  const nextPlace = (from: Path | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const refuse = (reason: string): void => {
        clearTimeout(timer);
        reject(new QueueFull(reason));
      };
      const waiting = {
        refuse,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        queue.remove(waiting);
        refuse('waited in the queue for too long');
      }, waitMs);
      const { isAdded, displaced } = queue.add(waiting, from);
      if (!isAdded) refuse('the queue is full');
      displaced?.refuse('lost its place in the queue to another group');
    });

  const limit = async <T>(job: () => Promise<T>, from?: Path): Promise<T> => {
    if (running >= width) await nextPlace(from);
    else running += 1;
    try {
      return await job();
    } finally {
      // The place is passed to the next job in line, so that a new job cannot take it first.
      const next = queue.take();
      if (next === undefined) running -= 1;
      else next.start();
    }
  };
  return Object.assign(limit, {
    hasPlace: (from: Path | undefined) => running < width || queue.hasPlace(from),
    load: () => ({ running, waiting: queue.size() }),
  });
}
