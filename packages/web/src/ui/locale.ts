import type { PAGE_TEXTS } from '../page-texts.ts';
import { inStore } from './browser.ts';

export type MessageKey = keyof typeof PAGE_TEXTS;

export type Values = Record<string, string | number>;

/** Returns a text in the page's language. */
export type Text = (key: MessageKey, values?: Values) => string;

export const text: Text = (key, values) => fill(pageData.Messages[key] ?? key, values);

/** Replaces the names in braces with their values. */
export function fill(message: string, values: Values = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

/** The data that the service writes into every page. */
export interface PageData {
  Locale: string;
  Locales: string[];
  /** The texts in the page's language, by key. */
  Messages: Record<string, string>;
  /** The name of the installation. */
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
  ConsoleUrl?: string;
  /** The app that people continue to. */
  AppUrl?: string | undefined;
  PasswordMinLength: number;
  /** For how many days the erasure of an account can be cancelled; 0 means that it is immediate. */
  EraseAfterDays: number;
  /** The origins from which the console may show images of faces. */
  FaceImageOrigins?: readonly string[];
}

/** What the service has written into this page. It never changes: another language is another page. */
export let pageData: PageData;

/** Called before anything is rendered. */
export function setPageData(data: PageData): void {
  pageData = data;
}

/** A number as it is written in the page's language. */
export function formatted(number: number, options?: Intl.NumberFormatOptions): string {
  return number.toLocaleString(pageData.Locale, options);
}

const KEPT = 'gatehouse-language';

/** The language that was chosen for all pages in this browser. */
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
