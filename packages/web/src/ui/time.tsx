import { type MessageKey, pageData, text } from './locale.ts';

/** A time as people say it: how long ago, if that is at most a week; else the date. The exact one is shown on hover. */
export function Time({ at }: { at: string }) {
  const exact = new Intl.DateTimeFormat(pageData.Locale, { dateStyle: 'medium', timeStyle: 'short' });
  const then = new Date(at);
  const seconds = (Date.now() - then.getTime()) / 1000;
  const isRecent = seconds > -CLOCKS_APART_SECONDS && seconds < WEEK_SECONDS;
  const words = isRecent ? agoIn(at) || text('sessionExists.now') : exact.format(then);
  return (
    <time dateTime={at} title={exact.format(then)}>
      {words}
    </time>
  );
}

export function When({ words, at }: { words: MessageKey; at: string }) {
  return (
    <>
      {text(words)} <Time at={at} />
    </>
  );
}

/** How long ago that was, in words: `2 minutes ago`. Empty if it is no time, or less than a minute. */
export function agoIn(at: string | undefined): string {
  const seconds = (Date.now() - Date.parse(at ?? '')) / 1000;
  const words = new Intl.RelativeTimeFormat(pageData.Locale);
  if (!(seconds >= 60)) return '';
  if (seconds < HOUR_SECONDS) return words.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < DAY_SECONDS) return words.format(-Math.floor(seconds / HOUR_SECONDS), 'hour');
  return words.format(-Math.floor(seconds / DAY_SECONDS), 'day');
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;
/** What was just done may lie in the future of the reader's clock. */
const CLOCKS_APART_SECONDS = 60;
