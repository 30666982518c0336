/** The number of latest hashes from which the current speed is estimated. */
const SAMPLES_MAX = 16;
/** The next hash may take this much longer than the slowest of them. */
const HEADROOM = 1.25;
/** Older samples do not show the current speed. */
const FRESH_MS = 60_000;

/** Estimates how long bcrypt takes on this machine, from the hashes that were made. */
export function createHashPace() {
  /** Milliseconds of a hash at cost 0; each higher cost takes twice as long. */
  const samples: number[] = [];
  let notedAt = -Infinity;
  return {
    note(milliseconds: number, cost: number): void {
      samples.push(milliseconds / 2 ** cost);
      if (samples.length > SAMPLES_MAX) samples.shift();
      notedAt = performance.now();
    },

    /** Whether there are recent samples. */
    isFresh: (): boolean => performance.now() - notedAt < FRESH_MS,

    /** An upper estimate of the milliseconds of a hash at this cost. */
    expectedMs: (cost: number): number => Math.max(0, ...samples) * 2 ** cost * HEADROOM,
  };
}
