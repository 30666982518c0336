import { setTimeout as sleep } from 'node:timers/promises';
import { costOfClass } from './stored-password.ts';

/** Leaves enough of a request's time limit if a timer fires late. */
const EVENED_MS_MAX = 1900;
/** The number of latest hashes from which the current speed is estimated. */
const SAMPLES_MAX = 16;
/** The next hash may take this much longer than the slowest of them. */
const HEADROOM = 1.25;
/** Older samples do not show the current speed. */
const FRESH_MS = 60_000;

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
  /** Milliseconds of bcrypt at cost 0 on this machine; each higher cost takes twice as long. */
  const samples: number[] = [];
  let notedAt = -Infinity;

  function note(milliseconds: number, cost: number): void {
    samples.push(milliseconds / 2 ** cost);
    if (samples.length > SAMPLES_MAX) samples.shift();
    notedAt = performance.now();
  }

  return {
    note,

    /** Waits until the response to a wrong password, whose check began at `begun`, may be sent. */
    async wait(begun: number, highestCosts: HighestCosts | undefined): Promise<void> {
      const highest = Math.max(0, ...((await highestCosts?.()) ?? []).map(costOfClass));
      if (highest <= own.cost) return;
      if (performance.now() - notedAt >= FRESH_MS) note(...(await measure()));
      const expectedMs = Math.max(0, ...samples) * 2 ** highest * HEADROOM;
      const left = begun + Math.min(expectedMs, EVENED_MS_MAX) - performance.now();
      if (left > 0) await sleep(left);
    },
  };
}
