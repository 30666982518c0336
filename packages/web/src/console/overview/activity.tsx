import { SessionStatus } from 'gatehouse-client';
import { type Answer, useQuery } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import { Chart, type ChartSeries, type Hue } from '../ui/chart.tsx';
import { useFilters } from '../ui/filters.ts';
import { Loaded } from '../ui/screen-page.tsx';
import styles from './activity.module.css';

const HOUR_MS = 3_600_000;
const EVERY_MS = 60_000;

const RANGES = {
  day: { hours: 24, step: 'hour' },
  week: { hours: 7 * 24, step: 'day' },
  month: { hours: 30 * 24, step: 'day' },
} as const;

export function Activity() {
  const { values, set } = useFilters();
  const range = values['range'] === 'week' || values['range'] === 'month' ? values['range'] : 'day';
  const { hours, step } = RANGES[range];
  const length = step === 'hour' ? HOUR_MS : 24 * HOUR_MS;
  // The last bar is the current hour or day.
  const from = Math.floor(Date.now() / length) * length + length - hours * HOUR_MS;
  const query = { from: new Date(from).toISOString(), interval: step };
  const result = useQuery('GET /admin/statistics', { query }, { everyMs: EVERY_MS });
  return (
    <section class={styles['activity']} aria-label={words('overview.activity')}>
      <div class={styles['head']}>
        <h2>{words('overview.activity')}</h2>
        <div class={styles['ranges']} role="group" aria-label={words('overview.range')}>
          {(['day', 'week', 'month'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === range}
              onClick={() => set({ range: one === 'day' ? undefined : one })}
            >
              {words(`overview.range.${one}`)}
            </button>
          ))}
        </div>
      </div>
      <Loaded result={result} lines={8}>
        {({ Series }) => <Charts points={Series} step={step} isOld={result.isOld} />}
      </Loaded>
    </section>
  );
}

function Charts({ points, step, isOld }: { points: Points; step: 'hour' | 'day'; isOld: boolean }) {
  const charts = CHARTS.map((plan) => chartOf(plan, points, step));
  const empty = charts.filter(isEmpty).map(({ title }) => title);
  return (
    <>
      <div class={styles['charts']} aria-busy={isOld}>
        {charts.map((chart) => !isEmpty(chart) && <Chart key={chart.title} {...chart} step={step} />)}
      </div>
      {empty.length > 0 && (
        <p class="quiet">{words('overview.activity.none', { charts: empty.join(', ') })}</p>
      )}
    </>
  );
}

function isEmpty({ series }: { series: readonly ChartSeries[] }): boolean {
  return series.every(({ counts }) => counts.every((count) => !count));
}

type Points = Answer<'GET /admin/statistics'>['Series'];

/** A part of the bars, and the kinds of docs/statistics.md that it counts. A kind counts in the first part that matches it. */
type Part = readonly [name: TextKey, hue: Hue, kinds: RegExp, list: List];

/** The list of the counted objects, the names of its filters for a time range, and that for the reason or the provider. */
type List = readonly [
  path: string,
  from: string,
  to: string,
  detail?: 'endReason' | 'reason' | 'ssoProvider',
];

const SESSIONS_BEGUN = ['/console/sessions?', 'createdFrom', 'createdTo'] as const;
const SESSIONS_OF_SIGN_ONS = [...SESSIONS_BEGUN, 'ssoProvider'] as const;
const sessionsEnded = (status?: SessionStatus) =>
  [
    `/console/sessions?${status === undefined ? '' : `status=${status}&`}`,
    'endedFrom',
    'endedTo',
    'endReason',
  ] as const;
const mails = (status: 'Sent' | 'Parked') =>
  [`/console/mails?status=${status}&`, 'finishedFrom', 'finishedTo'] as const;

const REFUSED = ['/console/sign-ins?result=Refused&', 'from', 'to', 'reason'] as const;

const CHARTS: readonly { title: TextKey; parts: readonly Part[] }[] = [
  {
    title: 'overview.logins',
    parts: [
      ['field.password', 'accent', /^login\.password$/, SESSIONS_BEGUN],
      ['accounts.passkey', 'success', /^login\.passkey$/, SESSIONS_BEGUN],
      ['overview.login.email', 'warning', /^login\.email$/, SESSIONS_BEGUN],
      ['c.signOn.title', 'quiet', /^login\.sso\./, SESSIONS_OF_SIGN_ONS],
    ],
  },
  {
    title: 'overview.refused',
    parts: [
      ['overview.refused.password', 'danger', /^refused\.password$/, REFUSED],
      ['overview.refused.secondFactor', 'warning', /^refused\.second-factor$/, REFUSED],
      ['overview.refused.throttled', 'quiet', /^refused\.throttled$/, REFUSED],
      ['overview.refused.condition', 'accent', /^refused\./, REFUSED],
    ],
  },
  {
    title: 'overview.newcomers',
    parts: [
      ['overview.registered', 'accent', /^registration$/, ['/console/accounts?', 'createdFrom', 'createdTo']],
      [
        'overview.accepted',
        'success',
        /^invitation\.accepted$/,
        // The list of accounts does not fit: a guest's account is created when they are invited.
        ['/console/audit?action=guest.registered&', 'from', 'to'],
      ],
    ],
  },
  {
    title: 'overview.ended',
    parts: [
      ['overview.ended.logout', 'quiet', /^session\.logout$/, sessionsEnded(SessionStatus.Expired)],
      ['overview.ended.expired', 'accent', /^session\.expired$/, sessionsEnded(SessionStatus.Expired)],
      [
        'overview.ended.replaced',
        'warning',
        /^session\.replaced$/,
        sessionsEnded(SessionStatus.SessionReplaced),
      ],
      ['overview.ended.other', 'danger', /^session\./, sessionsEnded()],
    ],
  },
  {
    title: 'c.mails.title',
    parts: [
      ['mails.sentAt', 'accent', /^mail\.sent$/, mails('Sent')],
      ['mails.parkedAt', 'danger', /^mail\.parked$/, mails('Parked')],
    ],
  },
];

const SECONDS = { hour: 3_600, day: 86_400 };

function chartOf({ title, parts }: (typeof CHARTS)[number], points: Points, step: 'hour' | 'day') {
  const at = points.map(({ At }) => Date.parse(At) / 1000);
  const series = parts.map(([name, hue, , list], part): ChartSeries => {
    const isOfPart = ([kind]: Count) => parts.findIndex(([, , kinds]) => kinds.test(kind)) === part;
    const counted = points.map(({ Counts }) => Object.entries(Counts).filter(isOfPart));
    return {
      name: words(name),
      hue,
      counts: counted.map((kinds) => kinds.reduce((sum, [, count]) => sum + count, 0)),
      hrefs: counted.map((kinds, index) => addressOf(list, kinds, { second: at[index] ?? 0, step })),
    };
  });
  return { title: words(title), at, series };
}

/** The address of the list that shows the objects in a bar; the bar begins at `second`. */
function addressOf(
  [path, from, to, detail]: List,
  kinds: readonly Count[],
  { second, step }: { second: number; step: 'hour' | 'day' },
): string {
  const at = (moment: number): string => new Date(moment * 1000).toISOString();
  const details = kinds.map(([kind]) => kind.split('.').at(-1));
  // Sessions can be filtered by one provider at a time, and sign-ins by one reason.
  const isFiltered = detail === 'endReason' || details.length === 1;
  const filters = {
    [from]: at(second),
    [to]: at(second + SECONDS[step]),
    ...(detail !== undefined && isFiltered && { [detail]: details.join(',') }),
  };
  return `${path}${new URLSearchParams(filters).toString()}`;
}

type Count = [kind: string, count: number];
