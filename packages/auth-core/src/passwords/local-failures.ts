interface Entry {
  failures: number;
  /** In milliseconds since the epoch. */
  endsAt: number;
  subjects: Set<string>;
}

/** Addresses that are remembered at most; for another one the oldest is forgotten. */
const ADDRESSES_MAX = 10_000;

/** Failures by address over a window, in this process only, in bounded memory. */
export function createLocalFailures(options: { failuresMax: number; windowSeconds: number }) {
  const { failuresMax, windowSeconds } = options;
  // In the order in which their windows began.
  const entries = new Map<string, Entry>();

  function entryOf(address: string): Entry {
    const now = Date.now();
    const known = entries.get(address);
    if (known !== undefined && known.endsAt > now) return known;
    entries.delete(address);
    const [oldest] = entries.keys();
    if (entries.size >= ADDRESSES_MAX && oldest !== undefined) entries.delete(oldest);
    const entry = { failures: 0, endsAt: now + windowSeconds * 1000, subjects: new Set<string>() };
    entries.set(address, entry);
    return entry;
  }

  return {
    /** Counts a failure, unless the limit is reached: then the seconds until the window ends. */
    take(address: string): { retryAfterSeconds: number } | undefined {
      const entry = entryOf(address);
      if (entry.failures >= failuresMax) {
        return { retryAfterSeconds: Math.ceil((entry.endsAt - Date.now()) / 1000) };
      }
      entry.failures += 1;
      return undefined;
    },

    /** Counts one failure whatever the bound is. */
    add(address: string): void {
      entryOf(address).failures += 1;
    },

    /** Takes a counted failure back. */
    takeBack(address: string): void {
      const entry = entries.get(address);
      if (entry !== undefined && entry.failures > 0) entry.failures -= 1;
    },

    /** How many different subjects the address's failures were about, if this one is new; else 0. */
    addSubject(address: string, subject: string): number {
      const { subjects } = entryOf(address);
      if (subjects.has(subject) || subjects.size >= failuresMax) return 0;
      return subjects.add(subject).size;
    },
  };
}
