import { BACKGROUNDS, type Brand } from '@gatehouse/brand';
import type { MailLogo, Picture } from './logo/mail-logo.ts';

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

export interface MailStyle {
  brand: Brand;
  logo: MailLogo | undefined;
}

/** A mail before it is rendered. */
export interface Draft {
  locale: string;
  subject: string;
  /** The heading of the HTML. */
  title: string;
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
export function letterOf(draft: Draft, mailStyle: MailStyle): Letter {
  const { logo } = mailStyle;
  const pictures = [logo?.light, logo?.dark].filter((one) => one !== undefined);
  return { subject: draft.subject, text: textOf(draft), html: htmlOf(draft, mailStyle), pictures };
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

/** The colors of light mails, and of dark ones if the reader's mail program asks for them. */
const LIGHT = { text: '#16191e', quiet: '#4a5360', line: '#dfe3e8', code: '#f1f3f6' };
const DARK = { text: '#eceff3', quiet: '#aeb7c2', line: '#2b3139', code: '#1d2126' };
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONOSPACE = 'ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, monospace';

/**
 * Renders a mail as HTML: one column with inline styles, as many mail programs drop style sheets; the style sheet
 * contains only the dark colors. It loads nothing, so that opening a mail cannot be tracked.
 */
function htmlOf({ locale, title, blocks, footer }: Draft, { brand, logo }: MailStyle): string {
  const font = brand.fontStack ?? FONT;
  const body = blocks.map((block) => htmlOfBlock(block, brand)).join('\n');
  const support =
    footer.support &&
    ` ${escape(footer.support.label)} ${anchor(footer.support.address, LIGHT.quiet, 'quiet')}`;
  return `<!doctype html>
<html lang="${escape(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(title)}</title>
<style>${darkStyles(brand, logo)}</style>
</head>
<body class="page" ${style({ margin: '0', padding: '0', background: BACKGROUNDS.light[0] })}>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" ${style({ background: BACKGROUNDS.light[0] })}>
<tr><td align="center" ${style({ padding: '24px 12px' })}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${style({ 'max-width': '560px', 'text-align': 'start' })}>
<tr><td class="text" dir="auto" ${style({ padding: '0 4px 16px', font: `600 16px/1.5 ${font}`, color: LIGHT.text })}>${headOf(brand, logo)}</td></tr>
<tr><td class="card text" dir="auto" ${style({ padding: '24px 20px 8px', background: BACKGROUNDS.light[1], border: `1px solid ${LIGHT.line}`, 'border-radius': '10px', 'overflow-wrap': 'anywhere', font: `400 16px/1.5 ${font}`, color: LIGHT.text })}>
<h1 ${style({ margin: '0 0 16px', font: `600 20px/1.25 ${font}` })}>${escape(title)}</h1>
${body}
</td></tr>
<tr><td class="quiet" dir="auto" ${style({ padding: '16px 4px 0', font: `400 13px/1.5 ${font}`, color: LIGHT.quiet })}>${escape(footer.sender)}${support ?? ''}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** The logo next to the name, as on the pages; without one that mails can show, the name in the accent color. */
function headOf(brand: Brand, logo: MailLogo | undefined): string {
  const name = escape(brand.name);
  if (logo === undefined) return `<span class="link" ${style({ color: brand.accent.light })}>${name}</span>`;
  const { light, dark, width, height } = logo;
  const picture = ({ cid }: Picture, more: Record<string, string>, about = '') =>
    `<img${about} src="cid:${escape(cid)}" alt="" width="${width}" height="${height}" ${style({ ...more, border: '0', 'vertical-align': 'middle' })}>`;
  const shown = picture(light, {}, dark && ' class="logo"');
  // Hidden in two ways, as Outlook needs its own.
  const hidden = dark && picture(dark, { display: 'none', 'mso-hide': 'all' }, ' class="logo-dark"');
  return `${shown}${hidden ?? ''}<span ${style({ padding: '0 12px', 'vertical-align': 'middle' })}>${name}</span>`;
}

function htmlOfBlock(block: Block, brand: Brand): string {
  if (typeof block === 'string') return `<p ${style({ margin: '0 0 16px' })}>${escape(block)}</p>`;
  if ('code' in block) return codeOf(block.code);
  if ('facts' in block) return factsOf(block.facts);
  return buttonOf(block.button, brand);
}

/** Large, and a click selects all of it. */
function codeOf(code: string): string {
  const styles = {
    margin: '0 0 16px',
    padding: '12px 16px',
    background: LIGHT.code,
    'border-radius': '6px',
    font: `600 24px/1.25 ${MONOSPACE}`,
    'letter-spacing': '2px',
    'text-align': 'center',
    'user-select': 'all',
    '-webkit-user-select': 'all',
  };
  return `<p class="code" dir="ltr" ${style(styles)}>${escape(code)}</p>`;
}

function factsOf(facts: readonly (readonly [string, string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th class="quiet" scope="row" ${style({ padding: '4px 16px 4px 0', 'text-align': 'start', 'vertical-align': 'top', 'font-weight': '400', 'white-space': 'nowrap', color: LIGHT.quiet })}>${escape(name)}</th>` +
      `<td class="text" ${style({ padding: '4px 0', 'overflow-wrap': 'anywhere', color: LIGHT.text })}>${escape(value)}</td></tr>`,
  );
  return `<table cellpadding="0" cellspacing="0" border="0" ${style({ margin: '0 0 16px', font: 'inherit', 'font-size': '14px' })}>${rows.join('')}</table>`;
}

/** Mail programs without buttons show a link; those without links show the address. */
function buttonOf({ label, orOpen, address }: Button, brand: Brand): string {
  const styles = {
    display: 'inline-block',
    padding: '10px 20px',
    background: brand.accent.light,
    'border-radius': `${brand.radiusPixels ?? 6}px`,
    color: brand.onAccent.light,
    'font-weight': '600',
    'text-align': 'center',
    'text-decoration': 'none',
  };
  return `<p ${style({ margin: '8px 0 16px' })}><a class="button" href="${escape(address)}" ${style(styles)}>${escape(label)}</a></p>
<p class="quiet" ${style({ margin: '0 0 16px', 'font-size': '13px', color: LIGHT.quiet })}>${escape(orOpen)}<br>${anchor(address, brand.accent.light, 'link')}</p>`;
}

function anchor(address: string, colour: string, name: string): string {
  const styles = { color: colour, 'word-break': 'break-all', 'text-decoration': 'underline' };
  return `<a class="${name}" dir="ltr" href="${escape(address)}" ${style(styles)}>${escape(address)}</a>`;
}

function darkStyles({ accent, onAccent }: Brand, logo: MailLogo | undefined): string {
  const rules = {
    ...(logo?.dark && { '.logo': { display: 'none' }, '.logo-dark': { display: 'inline' } }),
    '.page': { background: BACKGROUNDS.dark[0] },
    '.card': { background: BACKGROUNDS.dark[1], 'border-color': DARK.line },
    '.text': { color: DARK.text },
    '.quiet': { color: DARK.quiet },
    '.code': { background: DARK.code },
    '.link': { color: accent.dark },
    '.button': { background: accent.dark, color: onAccent.dark },
  };
  const written = Object.entries(rules).map(([selector, properties]) => {
    const declarations = Object.entries(properties).map(([name, value]) => `${name}: ${value} !important`);
    return `${selector} { ${declarations.join('; ')} }`;
  });
  return `:root { color-scheme: light dark }\n@media (prefers-color-scheme: dark) {\n${written.join('\n')}\n}`;
}

function style(properties: Record<string, string>): string {
  const declarations = Object.entries(properties).map(([name, value]) => `${name}:${value}`);
  return `style="${escape(declarations.join(';'))}"`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
