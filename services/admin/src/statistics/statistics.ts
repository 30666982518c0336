import { activity, type Db } from '@gatehouse/db';
import { invalidField } from '@gatehouse/http';
import { readMoment } from '@gatehouse/kit';
import type { Lifecycle } from '@gatehouse/runtime';
import { NameOf, Timestamp, Type } from '@gatehouse/schema';
import { route, routes } from '../deps.ts';
import { Totals } from './totals.ts';

/** For how many days counts are stored. */
const DAYS_MAX = 400;
const POINTS_MAX = 1000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const statisticsRoutes = routes({ tag: 'Statistics', access: ['Admin'] }, [
  route('GET /admin/statistics', {
    operationId: 'getStatistics',
    summary: 'Get activity counts by hour or day',
    description:
      'Returns the numbers of logins, refused logins, registrations, ended sessions, emails and so on between ' +
      `\`from\` (inclusive, rounded down to the hour or day in UTC) and \`to\` (exclusive): ${DAYS_MAX} days and ` +
      `${POINTS_MAX} points at most. Defaults to the last 24 hours. Counts are up to 10 seconds late; if a ` +
      'process is killed, its counts of those 10 seconds are lost.',
    query: Type.Object({
      from: Type.Optional(Timestamp()),
      to: Type.Optional(Timestamp()),
      interval: Type.Optional(NameOf(['hour', 'day'])),
    }),
    response: Type.Object({
      Series: Type.Array(
        Type.Object(
          {
            At: Timestamp(),
            Counts: Type.Record(Type.String(), Type.Integer(), {
              title: 'ActivityCounts',
              description:
                'Counts by kind, for example `login.password`, `refused.throttled` or `session.replaced`. Kinds without ' +
                'a count are left out.',
            }),
          },
          { title: 'StatisticsPoint' },
        ),
      ),
    }),
    handler: async ({ query, deps }) => {
      const interval = query.interval ?? 'hour';
      const to = readMoment(query.to, '/query/to') ?? new Date(deps.now());
      const from = readMoment(query.from, '/query/from') ?? dayBefore(to);
      const lengthMs = to.getTime() - from.getTime();
      if (lengthMs <= 0) throw unfit('/query/from', 'must be before `to`');
      if (lengthMs > DAYS_MAX * DAY_MS)
        throw unfit('/query/from', `must be at most ${DAYS_MAX} days before \`to\``);
      const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
      if (lengthMs / stepMs > POINTS_MAX - 1)
        throw unfit('/query/interval', `\`hour\` makes more than ${POINTS_MAX} points; use \`day\``);
      const begin = Math.floor(from.getTime() / stepMs) * stepMs;
      const series = Array.from({ length: Math.ceil((to.getTime() - begin) / stepMs) }, (_, index) => {
        const Counts: Record<string, number> = {};
        return { At: new Date(begin + index * stepMs).toISOString(), Counts };
      });
      const sums = await activity.findSums(deps.db, { from: new Date(begin), to, interval });
      for (const { at, kind, count } of sums) {
        const point = series[(at.getTime() - begin) / stepMs];
        if (point !== undefined) point.Counts[kind] = count;
      }
      return { Series: series };
    },
  }),

  route('GET /admin/statistics/now', {
    operationId: 'getStatisticsNow',
    summary: 'Get current totals',
    description:
      'Returns current totals. Each number is counted up to 100,000; larger numbers of accounts are estimated. ' +
      'The response is up to 15 seconds old; `At` is its time.',
    response: Totals,
    handler: ({ deps }) => deps.totals(),
  }),
]);

/** The day before the year 0 has no four-digit year. */
function dayBefore(to: Date): Date {
  const from = new Date(to.getTime() - DAY_MS);
  return readMoment(from.toISOString(), '/query/to') ?? from;
}

function unfit(pointer: string, message: string) {
  return invalidField(pointer, message, 'does_not_go_with');
}

export function forgetStatistics(db: Db, lifecycle: Pick<Lifecycle, 'every'>): void {
  lifecycle.every(3600, 'deleting old statistics', () => activity.deleteOld(db, DAYS_MAX));
}
