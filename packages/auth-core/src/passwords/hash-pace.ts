/** The number of latest hashes that show the present speed of this machine. */
const SAMPLES_MAX = 16;
/** The next hash may take this much longer than the slowest of them. */
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

    /** The milliseconds that a hash at this cost takes, rather too many than too few. */
    expectedMs: (cost: number): number => Math.max(0, ...samples) * 2 ** cost * HEADROOM,
  };
}
