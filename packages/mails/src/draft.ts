import type { Brand } from '@gatehouse/brand';
import type { MailLogo } from './logo/mail-logo.ts';

/** What a letter is made of: a paragraph, a code on a line of its own, facts under their names, or the way to a page. */
export type Block =
  | string
  | { code: string }
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { button: Button };

export interface Button {
  label: string;
  /** Says that the address may be opened instead. */
  orOpen: string;
  address: string;
}

/** How all letters of an installation look. */
export interface MailStyle {
  brand: Brand;
  logo: MailLogo | undefined;
}

/** A letter before it is set. */
export interface Draft {
  locale: string;
  subject: string;
  blocks: readonly Block[];
  /** Who sends it, and where there is help. */
  footer: { sender: string; support: { label: string; address: string } | undefined };
}
