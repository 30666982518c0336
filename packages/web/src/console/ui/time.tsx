import { usePageData } from '../../ui/api/page-data.ts';

/** A time, relative in words or exact. The tooltip shows it exactly, in local time and in UTC. */
export function Time({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  const locale = useRegion();
  if (at === null || at === undefined) return <span class="quiet">–</span>;
  const moment = new Date(at);
  const here = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(moment);
  return (
    <time dateTime={at} title={`${here}\n${moment.toISOString()}`}>
      {exact ? here : relative(moment, locale)}
    </time>
  );
}

/** The page's language with the reader's region, for example `en-GB`. */
function useRegion(): string {
  const { Locale } = usePageData();
  return navigator.languages.find((language) => language.split('-')[0] === Locale) ?? Locale;
}

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago, or how soon, in the largest unit that fits. */
export function relative(moment: Date, locale: string, now = Date.now()): string {
  const seconds = Math.round((moment.getTime() - now) / 1000);
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit);
  }
  return words.format(Math.abs(seconds) < 10 ? 0 : seconds, 'second');
}
