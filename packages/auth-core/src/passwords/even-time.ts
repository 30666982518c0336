import { setTimeout as sleep } from 'node:timers/promises';
import { createHashPace } from './hash-pace.ts';
import { costOfClass } from './stored-password.ts';

/** With a turn that came late, still within what a request may take. */
const EVENED_MS_MAX = 1900;

/**
 * The highest costs of the stored hashes that others are to be as slow as, as those tell them (`costOfClass`): one of each
 * scale, as costs of two scales do not compare.
 */
export type HighestCosts = () => Promise<readonly number[]>;

/**
 * Makes wrong passwords take as long as with the most expensive hash, where that is more expensive than our own: by waiting,
 * as the work would be too much (docs/decisions/0026-even-logins.md). `measure` hashes once with bcrypt and notes how long
 * that took.
 */
export function createEvenTime(
  own: { cost: number },
  measure: () => Promise<[milliseconds: number, cost: number]>,
) {
  const pace = createHashPace();
  return {
    note: pace.note,

    /** Waits until a wrong password may be answered whose check began then. */
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
