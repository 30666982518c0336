import { activity } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';

/** As long as counts are kept. */
export const STATISTICS_DAYS_MAX = 400;
export const STATISTICS_POINTS_MAX = 1000;

const STEPS_MS = { hour: 3_600_000, day: 86_400_000 };

/** What was counted within an hour or a day (UTC) that began at `at`; what did not happen is left out. */
export interface StatisticsPoint {
  at: Date;
  counts: Record<string, number>;
}

/** What was counted between two moments, a point for each hour or day, also where nothing happened. */
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
