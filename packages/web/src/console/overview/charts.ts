import { SessionStatus } from '@gatehouse/client';
import type { Answer } from '../api/call-api.ts';
import type { TextKey, Words } from '../text.ts';
import type { ChartSeries, Hue } from '../ui/chart/chart-series.ts';

type Points = Answer<'GET /admin/statistics'>['Series'];

interface ChartPlan {
  title: TextKey;
  parts: readonly {
    name: TextKey;
    hue: Hue;
    /** The kinds of docs/statistics.md that this part counts. A kind counts in the first part that matches it. */
    kinds: RegExp;
    list?: List;
  }[];
}

/** The list of the counted objects, and the names of its filters for the start and the end of a time range. */
type List = readonly [path: string, from: string, to: string];

const SESSIONS_BEGUN = ['/console/sessions?', 'createdFrom', 'createdTo'] as const;
const sessionsEnded = (status?: SessionStatus) =>
  [`/console/sessions?${status === undefined ? '' : `status=${status}&`}`, 'endedFrom', 'endedTo'] as const;
const mails = (status: 'Sent' | 'Parked') =>
  [`/console/mails?status=${status}&`, 'finishedFrom', 'finishedTo'] as const;

export const CHARTS: readonly ChartPlan[] = [
  {
    title: 'overview.logins',
    parts: [
      { name: 'overview.login.password', hue: 'accent', kinds: /^login\.password$/, list: SESSIONS_BEGUN },
      { name: 'overview.login.passkey', hue: 'success', kinds: /^login\.passkey$/, list: SESSIONS_BEGUN },
      { name: 'overview.login.sso', hue: 'quiet', kinds: /^login\.sso\./, list: SESSIONS_BEGUN },
    ],
  },
  {
    title: 'overview.refused',
    parts: [
      { name: 'overview.refused.password', hue: 'danger', kinds: /^refused\.password$/ },
      { name: 'overview.refused.secondFactor', hue: 'warning', kinds: /^refused\.second-factor$/ },
      { name: 'overview.refused.throttled', hue: 'quiet', kinds: /^refused\.throttled$/ },
      { name: 'overview.refused.condition', hue: 'accent', kinds: /^refused\./ },
    ],
  },
  {
    title: 'overview.newcomers',
    parts: [
      {
        name: 'overview.registered',
        hue: 'accent',
        kinds: /^registration$/,
        list: ['/console/accounts?', 'createdFrom', 'createdTo'],
      },
      {
        name: 'overview.accepted',
        hue: 'success',
        kinds: /^invitation\.accepted$/,
        // The list of accounts does not fit: a guest's account is created when they are invited.
        list: ['/console/audit?action=guest.registered&', 'from', 'to'],
      },
    ],
  },
  {
    title: 'overview.ended',
    parts: [
      {
        name: 'overview.ended.logout',
        hue: 'quiet',
        kinds: /^session\.logout$/,
        list: sessionsEnded(SessionStatus.Expired),
      },
      {
        name: 'overview.ended.expired',
        hue: 'accent',
        kinds: /^session\.expired$/,
        list: sessionsEnded(SessionStatus.Expired),
      },
      {
        name: 'overview.ended.replaced',
        hue: 'warning',
        kinds: /^session\.replaced$/,
        list: sessionsEnded(SessionStatus.SessionReplaced),
      },
      { name: 'overview.ended.other', hue: 'danger', kinds: /^session\./, list: sessionsEnded() },
    ],
  },
  {
    title: 'overview.mails',
    parts: [
      { name: 'overview.mails.sent', hue: 'accent', kinds: /^mail\.sent$/, list: mails('Sent') },
      { name: 'overview.mails.parked', hue: 'danger', kinds: /^mail\.parked$/, list: mails('Parked') },
    ],
  },
];

const SECONDS = { hour: 3_600, day: 86_400 };

/** The data of a chart, from the counts of the API. */
export function chartOf(plan: ChartPlan, points: Points, step: 'hour' | 'day', words: Words) {
  const at = points.map(({ At }) => Date.parse(At) / 1000);
  const series = plan.parts.map(({ name, hue, list }, part): ChartSeries => ({
    name: words(name),
    hue,
    counts: points.map(({ Counts }) => sumOf(Counts, plan, part)),
    ...(list && { hrefOf: (second) => addressOf(list, second, step) }),
  }));
  return { title: words(plan.title), at, series };
}

/** The address of the list that shows the objects in a bar; the bar begins at `second`. */
function addressOf([path, from, to]: List, second: number, step: 'hour' | 'day'): string {
  const at = (moment: number): string => new Date(moment * 1000).toISOString();
  return `${path}${new URLSearchParams({ [from]: at(second), [to]: at(second + SECONDS[step]) }).toString()}`;
}

/** The sum of the kinds that this part matches and no earlier part does. */
function sumOf(counts: Points[number]['Counts'], { parts }: ChartPlan, part: number): number {
  let sum = 0;
  for (const [kind, count] of Object.entries(counts)) {
    if (parts.findIndex(({ kinds }) => kinds.test(kind)) === part) sum += count;
  }
  return sum;
}
