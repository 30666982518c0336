import { fill, usePageData, type Values } from '../ui/locale.ts';
import type { CONSOLE_TEXTS, SHARED_TEXTS } from './texts.ts';

export type TextKey = keyof typeof CONSOLE_TEXTS | keyof typeof SHARED_TEXTS;

/** Returns a text in the reader's language. */
export type Words = (key: TextKey, values?: Values) => string;

export function useWords(): Words {
  const { Messages } = usePageData();
  return (key, values) => fill(Messages[key] ?? key, values);
}

/** Returns the text `<prefix>.<value>`; the value itself if there is no such text. */
export type WordsFor = (prefix: string, value: string | number) => string;

export function useWordsFor(): WordsFor {
  const { Messages } = usePageData();
  return (prefix, value) => Messages[`${prefix}.${value}`] ?? String(value);
}

/** A prefix of texts, if each of these values has one. */
export type PrefixFor<P extends string, V extends string> = `${P}.${V}` extends TextKey ? P : never;

/** Returns the values that have a text `<prefix>.<value>`. */
export function useNamed(): (prefix: string) => string[] {
  const { Messages } = usePageData();
  return (prefix) =>
    Object.keys(Messages).flatMap((key) =>
      key.startsWith(`${prefix}.`) ? [key.slice(prefix.length + 1)] : [],
    );
}

/** The keys of texts that have a singular, for example `bulk.count` with `bulk.count.one`. */
export type CountedKey = { [K in TextKey]: `${K}.one` extends TextKey ? K : never }[TextKey];

/** Returns a text that contains a number; for 1, the singular text. */
export function useCounted(): (key: CountedKey, count: number, values?: Values) => string {
  const { Messages, Locale } = usePageData();
  const number = new Intl.NumberFormat(Locale);
  return (key, count, values) =>
    fill(Messages[count === 1 ? `${key}.one` : key] ?? key, { ...values, count: number.format(count) });
}
