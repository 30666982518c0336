import { shownName } from './shown-name.ts';

/** A mail as it is sent: the same words as text and as HTML. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

/** What a letter is made of: a paragraph, a code on a line of its own, or the way to the product. */
export type Block = string | { code: string } | { link: string };

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The language of a locale such as `de-AT`; English where there is no translation. */
export function languageOf(locale: string): Language {
  const [language] = locale.toLowerCase().split(/[-_]/);
  return languages.find((one) => one === language) ?? 'en';
}

/** Sets a letter in both forms. Every word is escaped for HTML; there is no way to pass HTML in. */
export function letter(language: Language, subject: string, blocks: readonly Block[]): Letter {
  const text = `${blocks.map(asText).join('\n\n')}\n`;
  const html =
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>` +
    `<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1a1a1a">${blocks.map(asHtml).join('\n')}` +
    `</body></html>`;
  return { subject, text, html };
}

/** `Hello Ann,`. */
export function greeting(language: Language, name: string | undefined): string {
  const hello = { en: 'Hello', de: 'Hallo' }[language];
  const shown = shownName(name);
  return shown === undefined ? `${hello},` : `${hello} ${shown},`;
}

/** A moment in words, in UTC, as the reader's time zone is not known. */
export function moment(language: Language, timestamp: string): string {
  return `${MOMENTS[language].format(new Date(timestamp))} UTC`;
}

/** Made once, as making one costs more than all the rest of a letter. */
const MOMENTS = { en: momentsIn('en-GB'), de: momentsIn('de') };

function momentsIn(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}

/** `ABCD1234` as people read it: `ABCD-1234`. */
export function shownCode(code: string): string {
  const plain = code.replaceAll(/[\s-]/g, '');
  return plain.length === 8 ? `${plain.slice(0, 4)}-${plain.slice(4)}` : plain;
}

function asText(block: Block): string {
  if (typeof block === 'string') return block;
  return 'code' in block ? block.code : block.link;
}

function asHtml(block: Block): string {
  if (typeof block === 'string') return `<p>${escape(block)}</p>`;
  if ('link' in block) return `<p><a href="${escape(block.link)}">${escape(block.link)}</a></p>`;
  return `<p style="font:bold 28px monospace;letter-spacing:2px">${escape(block.code)}</p>`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
