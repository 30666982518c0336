import { fill, formatted, pageData, type Values } from '../ui/locale.ts';
import type { CONSOLE_TEXTS, SHARED_TEXTS } from './texts.ts';

export type TextKey = keyof typeof CONSOLE_TEXTS | keyof typeof SHARED_TEXTS;

export function words(key: TextKey, values?: Values): string {
  return fill(pageData.Messages[key] ?? key, values);
}

/** Returns the text `<prefix>.<value>`; the value itself if there is no such text. */
export function wordsFor(prefix: string, value: string | number): string {
  return pageData.Messages[`${prefix}.${value}`] ?? String(value);
}

/** Values to choose from, each with its text `<prefix>.<value>`. */
export function choicesOf(prefix: string, values: readonly (string | number)[]) {
  return values.map((value) => ({ value: String(value), words: wordsFor(prefix, value) }));
}

/** A prefix of texts, if each of these values has one. */
export type PrefixFor<P extends string, V extends string> = `${P}.${V}` extends TextKey ? P : never;

/** What texts with this ending begin with. */
export type Before<End extends string> = {
  [K in TextKey]: K extends `${infer P}.${End}` ? P : never;
}[TextKey];

/** Texts that have another with this ending, such as `.once`. */
export type With<End extends string> = Extract<Before<End>, TextKey>;

/** Returns the values that have a text `<prefix>.<value>`. */
export function named(prefix: string): string[] {
  return Object.keys(pageData.Messages).flatMap((key) =>
    key.startsWith(`${prefix}.`) ? [key.slice(prefix.length + 1)] : [],
  );
}

/** The keys of texts that have a singular, for example `bulk.count` with `bulk.count.one`. */
export type CountedKey = { [K in TextKey]: `${K}.one` extends TextKey ? K : never }[TextKey];

/** Returns a text that contains a number; for 1, the singular text. */
export function counted(key: CountedKey, count: number, values?: Values): string {
  const message = pageData.Messages[count === 1 ? `${key}.one` : key] ?? key;
  return fill(message, { ...values, count: formatted(count) });
}
