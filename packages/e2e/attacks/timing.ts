/** A class of inputs that must look like every other, and how to make one more request of it. */
export interface Class {
  name: string;
  /** Takes one sample; the milliseconds that the answer took. */
  take: () => Promise<number>;
}

/** How far a class's median may be from the median of all (docs/attacks.md). */
const TOLERANCE = 0.1;
/** What a clock, a scheduler and a network stack make of equal work. */
const CLOCK_MS = 1.5;
/** Of the median's standard error: how far chance alone takes one of ten classes in one of ten thousand runs. */
const ERRORS_MAX = 4;
const SAMPLES_A_ROUND = 10;
const ROUNDS_MAX = 4;
/** As many requests at a time as keep a machine of two cores busy without a queue. */
const LANES = 2;

/**
 * Compares how long the classes take, in interleaved samples: whatever else the machine does falls on all of them
 * alike. While a median is not within the tolerance, more samples are taken. What is returned in the end is beyond
 * the tolerance and beyond what the scatter of its own samples explains.
 */
export async function differenceOf(classes: readonly Class[]): Promise<string | undefined> {
  const samples = new Map(classes.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const waiting = Array.from({ length: SAMPLES_A_ROUND }, () => shuffled(classes)).flat();
    const work = async (): Promise<void> => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        samples.get(one.name)?.push(await one.take());
      }
    };
    await Promise.all(Array.from({ length: LANES }, work));
    if (differenceIn(samples, 0) === undefined) return undefined;
  }
  return differenceIn(samples, ERRORS_MAX);
}

/** The classes that are too far from the others; `errors` are allowed for what chance does. */
function differenceIn(samples: ReadonlyMap<string, number[]>, errors: number): string | undefined {
  const middle = median([...samples.values()].flat());
  const isFar = (times: number[]): boolean => {
    const distance = Math.abs(median(times) - middle);
    return distance > Math.max(middle * TOLERANCE, CLOCK_MS, errors * standardError(times));
  };
  if (![...samples.values()].some(isFar)) return undefined;
  return [...samples].map(([name, times]) => `${name} ${median(times).toFixed(1)} ms`).join(', ');
}

/** Of the median, from the median distance to it, which no outlier moves; as for a normal distribution. */
function standardError(times: readonly number[]): number {
  const middle = median(times);
  const deviation = 1.4826 * median(times.map((time) => Math.abs(time - middle)));
  return (1.2533 * deviation) / Math.sqrt(times.length);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** In some order, so that no class always comes after the same other. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, by: Math.random() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ one }) => one);
}
