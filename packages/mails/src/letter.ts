import type { Brand } from '@gatehouse/brand';
import type { MailLogo, Picture } from './logo/mail-logo.ts';
import { htmlOf } from './html.ts';

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

/** A rendered mail: the same content as text and as HTML. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
  /** The images of the HTML, sent as attachments. */
  pictures: readonly Picture[];
}

/** Renders a mail as text and as HTML. All text is escaped for HTML; there is no way to pass HTML in. */
export function letterOf(draft: Draft, style: MailStyle): Letter {
  const { logo } = style;
  const pictures = [logo?.light, logo?.dark].filter((one) => one !== undefined);
  return { subject: draft.subject, text: textOf(draft), html: htmlOf(draft, style), pictures };
}

function textOf({ blocks, footer: { sender, support } }: Draft): string {
  const end = support === undefined ? sender : `${sender}\n${support.label} ${support.address}`;
  return `${[...blocks.map(textOfBlock), end].join('\n\n')}\n`;
}

function textOfBlock(block: Block): string {
  if (typeof block === 'string') return block;
  if ('code' in block) return block.code;
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${block.button.label}:\n${block.button.address}`;
}
