import type { PAGE_TEXTS } from '../page-texts.ts';
import { inStore } from './browser.ts';

export type MessageKey = keyof typeof PAGE_TEXTS;

export type Values = Record<string, string | number>;

export type Text = (key: MessageKey, values?: Values) => string;

export const text: Text = (key, values) => fill(pageData.Messages[key] ?? key, values);

export function fill(message: string, values: Values = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

export interface PageData {
  Locale: string;
  Locales: string[];
  Messages: Record<string, string>;
  Name: string;
  /** The URL of the installation's logo. If it has none, the drawn logo is shown. */
  Logo?: string | undefined;
  LogoDark?: string | undefined;
  SupportUrl?: string | undefined;
  PrivacyUrl?: string | undefined;
  TermsUrl?: string | undefined;
  /** The public URL of the account pages (`PUBLIC_URL`), even if this page was opened at another address. */
  PublicUrl?: string | undefined;
  /** The public origin of the console (`ADMIN_URL`). Only set in the console's document. */
  ConsoleUrl?: string | undefined;
  AppUrl?: string | undefined;
  PasswordMinLength: number;
  /** For how many days the erasure of an account can be cancelled; 0 means that it is immediate. */
  EraseAfterDays: number;
  FaceImageOrigins?: readonly string[];
}

/** What the service has written into this page. It never changes: another language is another page. */
export let pageData: PageData;

/** Called before anything is rendered. */
export function setPageData(data: PageData): void {
  pageData = data;
}

export function formatted(number: number, options?: Intl.NumberFormatOptions): string {
  return number.toLocaleString(pageData.Locale, options);
}

/** The units in which durations are said, longest first, with their length in seconds. */
export const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const KEPT = 'gatehouse-language';

export function chosenLanguage(): string | undefined {
  return inStore('localStorage', (store) => store.getItem(KEPT) ?? undefined);
}

export function keepLanguage(language: string): void {
  inStore('localStorage', (store) => store.setItem(KEPT, language));
}

/** Removes the choice, so that the account's language is used again. */
export function forgetLanguage(): void {
  inStore('localStorage', (store) => store.removeItem(KEPT));
}
