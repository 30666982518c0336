import type { Answer } from '../api/call-api.ts';

/** What has happened, by the hour or the day. */
export type Points = Answer<'GET /admin/statistics'>['Series'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 7;

/** What happened in the last seven days, until now, and in the seven before. */
export interface Weeks {
  now: number;
  before: number;
  /** Each of the last seven days, that is each 24 hours, oldest first. */
  days: readonly number[];
}

/** By how much the week has changed, as a share of the one before; `undefined` if that makes no whole percent. */
export function changeOf({ now, before }: Pick<Weeks, 'now' | 'before'>): number | undefined {
  const change = before === 0 ? 0 : Math.round((now / before - 1) * 100) / 100;
  return change === 0 ? undefined : change;
}

/** When the two weeks begin that `weeksOf` compares. They end with the present hour, which the API counts by. */
export function beginOfWeeks(now: number): number {
  return Math.ceil(now / HOUR_MS) * HOUR_MS - 2 * DAYS * DAY_MS;
}

/** Sums up the kinds of docs/statistics.md that `kinds` matches, by the hours since `begin`. */
export function weeksOf(series: Points, kinds: RegExp, begin: number): Weeks {
  const days = Array.from({ length: 2 * DAYS }, () => 0);
  for (const { At, Counts } of series) {
    const day = Math.floor((Date.parse(At) - begin) / DAY_MS);
    for (const [kind, count] of Object.entries(Counts))
      if (kinds.test(kind)) days[day] = (days[day] ?? 0) + count;
  }
  const sum = (some: readonly number[]): number => some.reduce((total, count) => total + count, 0);
  return { now: sum(days.slice(DAYS)), before: sum(days.slice(0, DAYS)), days: days.slice(DAYS) };
}
