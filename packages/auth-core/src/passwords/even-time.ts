import { setTimeout as sleep } from 'node:timers/promises';
import { createHashPace } from './hash-pace.ts';
import { costOfClass } from './stored-password.ts';

/** Leaves enough of a request's time limit if a timer fires late. */
const EVENED_MS_MAX = 1900;

/**
 * The highest costs among the stored hashes (see `costOfClass`), one for each scale, as costs of two scales cannot be
 * compared. A wrong password takes as long as the most expensive of them.
 */
export type HighestCosts = () => Promise<readonly number[]>;

export type EvenTime = ReturnType<typeof createEvenTime>;

/**
 * Makes wrong passwords take as long as the most expensive stored hash, if that is more expensive than our own. It
 * waits, as doing the work would cost too much (docs/decisions/0026-even-logins.md). `measure` hashes once with bcrypt
 * and records how long that took.
 */
export function createEvenTime(
  own: { cost: number },
  measure: () => Promise<[milliseconds: number, cost: number]>,
) {
  const pace = createHashPace();
  return {
    note: pace.note,

    /** Waits until the response to a wrong password, whose check began at `begun`, may be sent. */
    async wait(begun: number, highestCosts: HighestCosts | undefined): Promise<void> {
      const highest = Math.max(0, ...((await highestCosts?.()) ?? []).map(costOfClass));
      if (highest <= own.cost) return;
      if (!pace.isFresh()) pace.note(...(await measure()));
      await waitUntil(begun + Math.min(pace.expectedMs(highest), EVENED_MS_MAX));
    },
  };
}

async function waitUntil(time: number): Promise<void> {
  const milliseconds = time - performance.now();
  if (milliseconds > 0) await sleep(milliseconds);
}
