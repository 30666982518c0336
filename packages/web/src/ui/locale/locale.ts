import type { PAGE_TEXTS } from '../../page-texts.ts';
import { usePageData } from '../api/page-data.ts';

/** The key of a text of the account pages. */
export type MessageKey = keyof typeof PAGE_TEXTS;

export type Values = Record<string, string | number>;

/** Returns a text in the page's language. */
export type Text = (key: MessageKey, values?: Values) => string;

/** The texts of the page's language. */
export function useText(): Text {
  const { Messages } = usePageData();
  return (key, values) => fill(Messages[key] ?? key, values);
}

/** Replaces the names in braces with their values. */
export function fill(message: string, values: Values = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
