import type { Brand } from '@gatehouse/brand';
import { htmlOf } from './html.ts';
import type { MailLogo, Picture } from './logo/mail-logo.ts';

/** A mail as it is sent: the same words as text and as HTML. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
  /** What the HTML shows, sent along with it. */
  pictures: readonly Picture[];
}

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

/** Sets a letter in both forms. Every word is escaped for HTML; there is no way to pass HTML in. */
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
