import { usePageData } from './locale.ts';

/** A time, in the page's language and the reader's time zone. */
export function Time({ at }: { at: string }) {
  const { Locale } = usePageData();
  const words = new Intl.DateTimeFormat(Locale, { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={at}>{words.format(new Date(at))}</time>;
}
