import { activity } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';

/** For how many days counts are stored. */
export const STATISTICS_DAYS_MAX = 400;
export const STATISTICS_POINTS_MAX = 1000;

const STEPS_MS = { hour: 3_600_000, day: 86_400_000 };

/** The counts of the hour or day (UTC) that began at `at`; kinds without activity are omitted. */
export interface StatisticsPoint {
  at: Date;
  counts: Record<string, number>;
}

/** The counts between two times, with a point for every hour or day, even without activity. */
export async function findStatistics(
  { db }: Pick<AccountsDeps, 'db'>,
  { from, to, interval }: { from: Date; to: Date; interval: 'hour' | 'day' },
): Promise<StatisticsPoint[]> {
  const stepMs = STEPS_MS[interval];
  const begin = Math.floor(from.getTime() / stepMs) * stepMs;
  const length = Math.ceil((to.getTime() - begin) / stepMs);
  const points = Array.from({ length }, (_, index): StatisticsPoint => ({
    at: new Date(begin + index * stepMs),
    counts: {},
  }));
  for (const { at, kind, count } of await activity.findSums(db, { from: new Date(begin), to, interval })) {
    const point = points[(at.getTime() - begin) / stepMs];
    if (point !== undefined) point.counts[kind] = count;
  }
  return points;
}
