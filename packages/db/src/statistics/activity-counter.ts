import { createGathered } from '@gatehouse/runtime';
import type { ActivityCount, ActivityKind } from './activity.ts';

const HOUR_MS = 3_600_000;

export type ActivityCounter = ReturnType<typeof createActivityCounter>;

/** Counts activity in memory and writes it to Postgres from time to time, so that no request waits for it. */
export function createActivityCounter(now: () => number = Date.now) {
  const counts = createGathered<string, ActivityCount>((earlier, later) => ({
    ...earlier,
    count: earlier.count + later.count,
  }));
  return {
    count: (kind: ActivityKind, times?: number): void => {
      const [at, count] = [new Date(Math.floor(now() / HOUR_MS) * HOUR_MS), times ?? 1];
      if (count > 0) counts.add(`${at.getTime()} ${kind}`, { at, kind, count });
    },

    /** Passes the counts since the last call to `save`; counts that cannot be saved are passed again next time. */
    flush: (save: (counts: readonly ActivityCount[]) => Promise<void>) =>
      counts.flush((taken) => save([...taken.values()])),
  };
}
