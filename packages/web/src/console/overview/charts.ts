import type { Answer } from '../api/ask.ts';
import type { TextKey, Words } from '../text.ts';
import type { ChartSeries, Hue } from '../ui/chart/chart-series.ts';

type Points = Answer<'GET /admin/statistics'>['Series'];

interface ChartPlan {
  title: TextKey;
  /** Which kinds of docs/statistics.md make up each of its parts; the first part that fits has a kind. */
  parts: readonly { name: TextKey; hue: Hue; kinds: RegExp }[];
  /** Where the list is of what a bar counts, with the filters that say when. */
  list?: { path: string; from: string; to: string };
}

export const CHARTS: readonly ChartPlan[] = [
  {
    title: 'overview.logins',
    parts: [
      { name: 'overview.login.password', hue: 'accent', kinds: /^login\.password$/ },
      { name: 'overview.login.passkey', hue: 'success', kinds: /^login\.passkey$/ },
      { name: 'overview.login.sso', hue: 'quiet', kinds: /^login\.sso\./ },
    ],
    list: { path: '/console/sessions', from: 'createdFrom', to: 'createdTo' },
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
      { name: 'overview.registered', hue: 'accent', kinds: /^registration$/ },
      { name: 'overview.accepted', hue: 'success', kinds: /^invitation\.accepted$/ },
    ],
    list: { path: '/console/accounts', from: 'createdFrom', to: 'createdTo' },
  },
  {
    title: 'overview.ended',
    parts: [
      { name: 'overview.ended.logout', hue: 'quiet', kinds: /^session\.logout$/ },
      { name: 'overview.ended.expired', hue: 'accent', kinds: /^session\.expired$/ },
      { name: 'overview.ended.replaced', hue: 'warning', kinds: /^session\.replaced$/ },
      { name: 'overview.ended.other', hue: 'danger', kinds: /^session\./ },
    ],
  },
  {
    title: 'overview.mails',
    parts: [
      { name: 'overview.mails.sent', hue: 'accent', kinds: /^mail\.sent$/ },
      { name: 'overview.mails.parked', hue: 'danger', kinds: /^mail\.parked$/ },
    ],
  },
];

const SECONDS = { hour: 3_600, day: 86_400 };

/** What a chart shows of what was counted. */
export function chartOf(plan: ChartPlan, points: Points, step: 'hour' | 'day', words: Words) {
  const at = points.map(({ At }) => Date.parse(At) / 1000);
  const series = plan.parts.map(({ name, hue }, part): ChartSeries => ({
    name: words(name),
    hue,
    counts: points.map(({ Counts }) => sumOf(Counts, plan, part)),
  }));
  const { list } = plan;
  const hrefOf =
    list &&
    ((second: number): string => {
      const [from, to] = [second, second + SECONDS[step]].map((moment) =>
        new Date(moment * 1000).toISOString(),
      );
      return `${list.path}?${new URLSearchParams([
        [list.from, from ?? ''],
        [list.to, to ?? ''],
      ]).toString()}`;
    });
  return { title: words(plan.title), at, series, hrefOf };
}

/** How often there was what belongs to this part and to none before it. */
function sumOf(counts: Points[number]['Counts'], { parts }: ChartPlan, part: number): number {
  let sum = 0;
  for (const [kind, count] of Object.entries(counts)) {
    if (parts.findIndex(({ kinds }) => kinds.test(kind)) === part) sum += count;
  }
  return sum;
}
