import { findStatistics, STATISTICS_DAYS_MAX, STATISTICS_POINTS_MAX } from '@gatehouse/accounts';
import { invalidRequest } from '@gatehouse/http';
import { NameOf, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { readMoment } from '@gatehouse/kit';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const getStatistics = route({
  method: 'get',
  path: '/admin/statistics',
  operationId: 'getStatistics',
  tag: 'Statistics',
  summary: 'Get activity counts by hour or day',
  description:
    'Returns the numbers of logins, refused logins, registrations, ended sessions, emails and so on between ' +
    `\`from\` (inclusive, rounded down to the hour or day in UTC) and \`to\` (exclusive): ${STATISTICS_DAYS_MAX} days and ` +
    `${STATISTICS_POINTS_MAX} points at most. Defaults to the last 24 hours. Counts are up to 10 seconds late; if a ` +
    'process is killed, its counts of those 10 seconds are lost.',
  access: ['Admin'],
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
    if (lengthMs > STATISTICS_DAYS_MAX * DAY_MS)
      throw unfit('/query/from', `must be at most ${STATISTICS_DAYS_MAX} days before \`to\``);
    const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
    if (lengthMs / stepMs > STATISTICS_POINTS_MAX - 1)
      throw unfit('/query/interval', `\`hour\` makes more than ${STATISTICS_POINTS_MAX} points; use \`day\``);
    const series = await findStatistics(deps, { from, to, interval });
    return { Series: series.map(({ at, counts }) => ({ At: at.toISOString(), Counts: counts })) };
  },
});

/** The day before the year 0 has no four-digit year. */
function dayBefore(to: Date): Date {
  const from = new Date(to.getTime() - DAY_MS);
  return readMoment(from.toISOString(), '/query/to') ?? from;
}

function unfit(pointer: string, message: string) {
  return invalidRequest(undefined, { errors: [{ pointer, message, code: 'does_not_go_with' }] });
}
