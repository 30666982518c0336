import { type MessageKey, pageData, text, UNITS } from './locale.ts';

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
  const found = UNITS.find(([, length]) => seconds >= length);
  if (found === undefined) return '';
  const [unit, length] = found;
  return new Intl.RelativeTimeFormat(pageData.Locale).format(-Math.floor(seconds / length), unit);
}

const WEEK_SECONDS = 7 * 86_400;
/** What was just done may lie in the future of the reader's clock. */
const CLOCKS_APART_SECONDS = 60;
