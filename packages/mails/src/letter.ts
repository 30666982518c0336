import type { Block, Draft, MailStyle } from './draft.ts';
import { htmlOf } from './html.ts';
import type { Picture } from './logo/mail-logo.ts';

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
