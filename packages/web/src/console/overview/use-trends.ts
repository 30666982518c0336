import { usePageData } from '../../ui/api/page-data.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';

const DAY_MS = 24 * 3600 * 1000;
const DAYS = 7;

/** The kinds of docs/statistics.md whose counts in a week are compared with those of the week before. */
const KINDS = {
  accounts: /^(?:registration|invitation\.accepted)$/,
  sessions: /^login\./,
  refused: /^refused\./,
};

export type Trends = Partial<Record<keyof typeof KINDS, string>>;

/** What happened in the last seven whole days (UTC), and the change against the seven before. */
export function useTrends(): Trends {
  const words = useWords();
  const { Locale } = usePageData();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const from = new Date(today - 2 * DAYS * DAY_MS).toISOString();
  const { data } = useQuery('GET /admin/statistics', { query: { from, interval: 'day' } });
  if (data === undefined) return {};
  const sum = (kinds: RegExp, since: number, until: number): number =>
    data.Series.filter(({ At }) => Date.parse(At) >= since && Date.parse(At) < until)
      .flatMap(({ Counts }) => Object.entries(Counts))
      .reduce((total, [kind, count]) => total + (kinds.test(kind) ? count : 0), 0);
  const number = new Intl.NumberFormat(Locale);
  const change = new Intl.NumberFormat(Locale, { style: 'percent', signDisplay: 'exceptZero' });
  const trend = (name: keyof typeof KINDS): string => {
    const middle = today - DAYS * DAY_MS;
    const now = sum(KINDS[name], middle, today);
    const before = sum(KINDS[name], today - 2 * DAYS * DAY_MS, middle);
    const said = words(`overview.trend.${name}`, { count: number.format(now) });
    return before === 0 ? said : `${said} (${change.format(now / before - 1)})`;
  };
  return { accounts: trend('accounts'), sessions: trend('sessions'), refused: trend('refused') };
}
