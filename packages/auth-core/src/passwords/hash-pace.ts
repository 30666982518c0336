/** How many of the latest hashes tell how fast this machine is just now. */
const SAMPLES_MAX = 16;
/** So much longer than the slowest of them may the next one take. */
const HEADROOM = 1.25;

/** Tells how long hashes take here, by those that were made. */
export function createHashPace() {
  /** Milliseconds for a hash at cost 0; each cost more takes twice as long. */
  const samples: number[] = [];
  return {
    note(milliseconds: number, cost: number): void {
      samples.push(milliseconds / 2 ** cost);
      if (samples.length > SAMPLES_MAX) samples.shift();
    },

    /** In how many milliseconds a hash at this cost is made, rather too many than too few. */
    expectedMs: (cost: number): number => Math.max(0, ...samples) * 2 ** cost * HEADROOM,
  };
}
