interface Entry {
  failures: number;
  /** In milliseconds since the epoch. */
  endsAt: number;
  subjects: Set<string>;
}

/** The maximum number of addresses; beyond it the oldest is dropped. */
const ADDRESSES_MAX = 10_000;
/** The maximum number of subjects of one address, more than cause a warning. */
const SUBJECTS_MAX = 100;

/** Counts failures by address over a window, in this process only and in bounded memory. */
export function createLocalFailures({ windowSeconds }: { windowSeconds: number }) {
  // Ordered by the start of their windows.
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
    /** Counts a failure. If the limit is reached, it returns the seconds until the window ends instead. */
    take(address: string, failuresMax: number): { retryAfterSeconds: number } | undefined {
      const entry = entryOf(address);
      if (entry.failures >= failuresMax) {
        return { retryAfterSeconds: Math.ceil((entry.endsAt - Date.now()) / 1000) };
      }
      entry.failures += 1;
      return undefined;
    },

    /** Counts a failure regardless of the limit. */
    add(address: string): void {
      entryOf(address).failures += 1;
    },

    /** Reverts a counted failure. */
    takeBack(address: string): void {
      const entry = entries.get(address);
      if (entry !== undefined && entry.failures > 0) entry.failures -= 1;
    },

    /** The number of different subjects of the address's failures if this one is new, otherwise 0. */
    addSubject(address: string, subject: string): number {
      const { subjects } = entryOf(address);
      if (subjects.has(subject) || subjects.size >= SUBJECTS_MAX) return 0;
      return subjects.add(subject).size;
    },

    /** Removes and returns the subjects of the address's failures. */
    takeSubjects(address: string): string[] {
      const entry = entries.get(address);
      if (entry === undefined || entry.endsAt <= Date.now()) return [];
      const taken = [...entry.subjects];
      entry.subjects.clear();
      return taken;
    },
  };
}
