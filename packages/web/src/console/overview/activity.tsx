import { SessionStatus } from 'gatehouse-client';
import { useQuery } from '../api/call-api.ts';
import { type TextKey, words, wordsFor } from '../text.ts';
import { Chart, type ChartSeries, type Hue } from '../ui/chart.tsx';
import { useFilters } from '../ui/filters.ts';
import { Loaded } from '../ui/screen-page.tsx';
import styles from './activity.module.css';
import type { Points } from './weeks.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = 60_000;

const STEPS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS };
type Step = keyof typeof STEPS_MS;

const RANGES = [
  ['day', 24 * HOUR_MS, 'hour'],
  ['week', 7 * 24 * HOUR_MS, 'day'],
  ['month', 30 * 24 * HOUR_MS, 'day'],
] as const;

export function Activity() {
  const { values, set } = useFilters();
  const [range, wholeMs, step] = RANGES.find(([name]) => name === values['range']) ?? RANGES[0];
  const length = STEPS_MS[step];
  // The last bar is the current hour or day.
  const from = Math.floor(Date.now() / length) * length + length - wholeMs;
  const query = { from: new Date(from).toISOString(), interval: step };
  const result = useQuery('GET /admin/statistics', { query }, { everyMs: EVERY_MS });
  return (
    <section class={styles['activity']} aria-label={words('overview.activity')}>
      <div class={styles['head']}>
        <h2>{words('overview.activity')}</h2>
        <div class={styles['ranges']} role="group" aria-label={words('overview.range')}>
          {RANGES.map(([one]) => (
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

function Charts({ points, step, isOld }: { points: Points; step: Step; isOld: boolean }) {
  const charts = Object.entries(CHARTS).map(([name, parts]) => chartOf(name, parts, points, step));
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

/** A part of the bars, and the kinds of docs/statistics.md that it counts. A kind counts in the first part that matches it. */
type Part = readonly [name: TextKey, hue: Hue, kinds: RegExp, list: List];

/** The list of the counted objects, the names of its filters for a time range, and that for the reason or the provider. */
type List = readonly [path: string, from: string, to: string, detail?: string];

const SESSIONS_BEGUN = ['/console/sessions?', 'createdFrom', 'createdTo'] as const;
const SESSIONS_OF_SIGN_ONS = [...SESSIONS_BEGUN, 'ssoProvider'] as const;
const ENDED = ['/console/sessions?', 'endedFrom', 'endedTo', 'endReason'] as const;
const ended = (status: SessionStatus) =>
  [`/console/sessions?status=${status}&`, 'endedFrom', 'endedTo', 'endReason'] as const;
const mails = (status: 'Sent' | 'Parked') =>
  [`/console/mails?status=${status}&`, 'finishedFrom', 'finishedTo'] as const;

const REFUSED = ['/console/sign-ins?result=Refused&', 'from', 'to', 'reason'] as const;
/** The list of accounts does not fit: a guest's account is created when they are invited. */
const GUESTS_REGISTERED = ['/console/audit?action=guest.registered&', 'from', 'to'] as const;

/** By their titles. */
const CHARTS: Readonly<Record<string, readonly Part[]>> = {
  logins: [
    ['field.password', 'accent', /^login\.password$/, SESSIONS_BEGUN],
    ['accounts.passkey', 'success', /^login\.passkey$/, SESSIONS_BEGUN],
    ['overview.login.email', 'warning', /^login\.email$/, SESSIONS_BEGUN],
    ['c.signOn.title', 'quiet', /^login\.sso\./, SESSIONS_OF_SIGN_ONS],
  ],
  refused: [
    ['overview.refused.password', 'danger', /^refused\.password$/, REFUSED],
    ['overview.refused.secondFactor', 'warning', /^refused\.second-factor$/, REFUSED],
    ['overview.refused.throttled', 'quiet', /^refused\.throttled$/, REFUSED],
    ['overview.refused.condition', 'accent', /^refused\./, REFUSED],
  ],
  newcomers: [
    ['overview.registered', 'accent', /^registration$/, ['/console/accounts?', 'createdFrom', 'createdTo']],
    ['overview.accepted', 'success', /^invitation\.accepted$/, GUESTS_REGISTERED],
  ],
  ended: [
    ['overview.ended.logout', 'quiet', /^session\.logout$/, ended(SessionStatus.Expired)],
    ['overview.ended.expired', 'accent', /^session\.expired$/, ended(SessionStatus.Expired)],
    ['overview.ended.replaced', 'warning', /^session\.replaced$/, ended(SessionStatus.SessionReplaced)],
    ['overview.ended.other', 'danger', /^session\./, ENDED],
  ],
  mails: [
    ['mails.sentAt', 'accent', /^mail\.sent$/, mails('Sent')],
    ['mails.parkedAt', 'danger', /^mail\.parked$/, mails('Parked')],
  ],
};

function chartOf(chart: string, parts: readonly Part[], points: Points, step: Step) {
  const begins = points.map(({ At }) => Date.parse(At));
  const series = parts.map(([name, hue, , list], part): ChartSeries => {
    const isOfPart = ([kind]: Count) => parts.findIndex(([, , kinds]) => kinds.test(kind)) === part;
    const counted = points.map(({ Counts }) => Object.entries(Counts).filter(isOfPart));
    return {
      name: words(name),
      hue,
      counts: counted.map((kinds) => kinds.reduce((sum, [, count]) => sum + count, 0)),
      hrefs: counted.map((kinds, index) => addressOf(list, kinds, begins[index] ?? 0, step)),
    };
  });
  return { title: wordsFor('overview', chart), at: begins.map((begin) => begin / 1000), series };
}

/** The address of the list that shows the objects in a bar. */
function addressOf([path, from, to, detail]: List, kinds: readonly Count[], begin: number, step: Step) {
  const details = kinds.map(([kind]) => kind.split('.').at(-1));
  // Sessions can be filtered by one provider at a time, and sign-ins by one reason.
  const isFiltered = detail === 'endReason' || details.length === 1;
  const filters = {
    [from]: new Date(begin).toISOString(),
    [to]: new Date(begin + STEPS_MS[step]).toISOString(),
    ...(detail !== undefined && isFiltered && { [detail]: details.join(',') }),
  };
  return `${path}${new URLSearchParams(filters).toString()}`;
}

type Count = [kind: string, count: number];
