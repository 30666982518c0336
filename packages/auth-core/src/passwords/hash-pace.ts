/** The number of latest hashes that show the present speed of this machine. */
const SAMPLES_MAX = 16;
/** The next hash may take this much longer than the slowest of them. */
const HEADROOM = 1.25;
/** Older than this, samples tell of another hour. */
const FRESH_MS = 60_000;

/** Tells how long hashes of bcrypt take here, by those that were made. */
export function createHashPace() {
  /** Milliseconds for a hash at cost 0; each cost more takes twice as long. */
  const samples: number[] = [];
  let notedAt = -Infinity;
  return {
    note(milliseconds: number, cost: number): void {
      samples.push(milliseconds / 2 ** cost);
      if (samples.length > SAMPLES_MAX) samples.shift();
      notedAt = performance.now();
    },

    /** Whether there is something to go by. */
    isFresh: (): boolean => performance.now() - notedAt < FRESH_MS,

    /** The milliseconds that a hash at this cost takes, rather too many than too few. */
    expectedMs: (cost: number): number => Math.max(0, ...samples) * 2 ** cost * HEADROOM,
  };
}
