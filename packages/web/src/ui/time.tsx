import { usePageData } from './api/page-data.ts';

/** A moment, in the words of the page's language and the reader's own time. */
export function Time({ at }: { at: string }) {
  const { Locale } = usePageData();
  const words = new Intl.DateTimeFormat(Locale, { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={at}>{words.format(new Date(at))}</time>;
}
