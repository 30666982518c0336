import type { Brand } from '@gatehouse/brand';
import type { MailLogo } from './logo/mail-logo.ts';

/** A part of a mail: a paragraph, a code on its own line, a list of names and values, or a button. */
export type Block =
  | string
  | { code: string }
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { button: Button };

export interface Button {
  label: string;
  /** The text that says to open the address instead. */
  orOpen: string;
  address: string;
}

/** The appearance of all mails of an installation. */
export interface MailStyle {
  brand: Brand;
  logo: MailLogo | undefined;
}

/** A mail before it is rendered. */
export interface Draft {
  locale: string;
  subject: string;
  blocks: readonly Block[];
  /** The sender, and where to find help. */
  footer: { sender: string; support: { label: string; address: string } | undefined };
}
