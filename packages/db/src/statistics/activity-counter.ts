import type { ActivityCount, ActivityKind } from './activity.ts';

/** Counts activity in memory and writes it to Postgres from time to time, so that no request waits for it. */
export interface ActivityCounter {
  count(kind: ActivityKind, times?: number): void;
  /** Passes the counts since the last call to `save`; counts that cannot be saved are passed again next time. */
  flush(save: (counts: readonly ActivityCount[]) => Promise<void>): Promise<void>;
}

const HOUR_MS = 3_600_000;

export function createActivityCounter(now: () => number = Date.now): ActivityCounter {
  let hours = new Map<number, Map<ActivityKind, number>>();

  const add = (hour: number, kind: ActivityKind, times: number): void => {
    const kinds = hours.get(hour) ?? new Map<ActivityKind, number>();
    kinds.set(kind, (kinds.get(kind) ?? 0) + times);
    hours.set(hour, kinds);
  };
  return {
    count: (kind, times = 1) => {
      if (times > 0) add(Math.floor(now() / HOUR_MS), kind, times);
    },
    flush: async (save) => {
      const taken = hours;
      if (taken.size === 0) return;
      hours = new Map();
      const counts = [...taken].flatMap(([hour, kinds]) =>
        [...kinds].map(([kind, count]) => ({ at: new Date(hour * HOUR_MS), kind, count })),
      );
      try {
        await save(counts);
      } catch (error) {
        for (const [hour, kinds] of taken) for (const [kind, times] of kinds) add(hour, kind, times);
        throw error;
      }
    },
  };
}
