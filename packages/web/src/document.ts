import { readFileSync } from 'node:fs';
import { LANGUAGES } from './ui/languages.ts';
import { fill, type PageData } from './ui/locale.ts';

interface Frame extends AppFrame {
  locales: readonly string[];
  facts: Omit<PageData, 'Locale' | 'Locales' | 'Messages' | 'ConsoleUrl' | 'FaceImageOrigins'>;
}

interface AppFrame {
  assets: Assets;
  locale: string;
  messages: Readonly<Record<string, string>>;
  brandStyle?: string | undefined;
  hasOwnFont?: boolean;
}

/** The HTML of a page as it is sent: all texts in the reader's language, and the data for its script. */
export function documentOf(path: string, frame: Frame): string {
  const { assets, locale, locales, facts } = frame;
  const { Name, PasswordMinLength, SupportUrl } = facts;
  // Values that are the same for every visitor are filled in here, the others by the script.
  const standing: Record<string, string> = { Name, PasswordMinLength: String(PasswordMinLength) };
  const messages = Object.fromEntries(
    Object.entries(frame.messages).map(([key, text]) => [key, fill(text, standing)]),
  );
  const { title = '', html = '' } = assets.pages[path] ?? {};
  const words = (marked: string) =>
    marked.replaceAll(MARKER, (_, key: string) => escaped(messages[key] ?? Name));
  const help = SupportUrl && ` <a href="${escaped(SupportUrl)}">${words('[[page.noscript.help]]')}</a>`;
  return appDocument(frame, {
    title: fill(words('[[page.title]]'), { title: words(title) }),
    noscript: `${words('[[page.noscript]]')}${help ?? ''}`,
    root: `<div id="page">${words(withLogo(html, frame))}</div>`,
    data: { Locale: locale, Locales: locales, Messages: messages, ...facts },
  });
}

/** The console's document. It contains the data for its script, and no data of accounts. */
export function consoleDocument(
  frame: AppFrame & { facts: Pick<PageData, 'FaceImageOrigins' | 'ConsoleUrl'> },
): string {
  const { locale, messages, facts } = frame;
  return appDocument(frame, {
    title: 'Gatehouse',
    noscript: escaped(messages['console.noscript'] ?? ''),
    root: '<div id="console"></div>',
    data: {
      Locale: locale,
      Locales: LANGUAGES,
      Messages: messages,
      Name: 'Gatehouse',
      PasswordMinLength: 8,
      EraseAfterDays: 0,
      ...facts,
    },
  });
}

/** The document of a script and its data. All texts but `data` are HTML. */
function appDocument(
  { assets, locale, brandStyle, hasOwnFont }: AppFrame,
  { title, noscript, root, data }: Record<'title' | 'noscript' | 'root', string> & { data: object },
): string {
  // The typeface loads with the style that names it, and not after it: so the text is drawn once.
  const font = `<link rel="preload" href="/web/${assets.font}" as="font" type="font/woff2" crossorigin>\n`;
  const head = `${hasOwnFont ? '' : font}${linkOf(brandStyle)}<script type="module" src="/web/${assets.script}" defer></script>\n`;
  const body = `<noscript><p class="noscript">${noscript}</p></noscript>
${root}
<script type="application/json" id="page-data">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`;
  return htmlOf(assets, { locale, title, head, body });
}

interface NotFoundFrame extends AppFrame {
  facts: Pick<Frame['facts'], 'Name' | 'Logo' | 'LogoDark'>;
}

/** Says that there is no page at an address. The classes are those of `ui/page.module.css`, as the build names them. */
export function notFoundDocument(frame: NotFoundFrame): string {
  const { assets, locale, messages, facts } = frame;
  const name = escaped(facts.Name);
  const words = (key: string) =>
    escaped((messages[`page.notFound.${key}`] ?? '').replace('{Name}', facts.Name));
  const body = `<div class="page_page page_card">
<header class="page_header"><a class="page_home" href="/">${withLogo(assets.logo.drawn, frame)}<span class="page_name">${name}</span></a></header>
<main class="page_main">
<h1 class="page_title">${words('title')}</h1>
<p class="page_lead">${words('text')}</p>
<div class="page_content"><a href="/">${words('home')}</a></div>
</main>
</div>`;
  return htmlOf(assets, {
    locale,
    title: `${words('title')} – ${name}`,
    head: linkOf(frame.brandStyle),
    body,
  });
}

/** A document for every size of screen and both themes, and not for search engines. */
function htmlOf(
  { icon, style }: Assets,
  { locale, title, head, body }: Record<'locale' | 'title' | 'head' | 'body', string>,
): string {
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/web/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/web/${style}">
${head}</head>
<body>
${body}
</body>
</html>
`;
}

function linkOf(style: string | undefined): string {
  return style === undefined ? '' : `<link rel="stylesheet" href="/web/${style}">\n`;
}

/** Replaces the drawn logo in the page with the logo of the installation, if it has one. */
function withLogo(html: string, { assets: { logo }, facts }: NotFoundFrame): string {
  const { Logo: light, LogoDark: dark = light } = facts;
  if (light === undefined || dark === undefined) return html;
  return html.replace(logo.drawn, () => logo.own.replace('[[=Logo]]', light).replace('[[=LogoDark]]', dark));
}

const MARKER = /\[\[([\w.=]+)\]\]/g;

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export interface Assets {
  /** File names below `/web/`. */
  script: string;
  style: string;
  icon: string;
  font: string;
  /** The prerendered pages by path. In place of each text they contain its key in double brackets. */
  pages: Readonly<Record<string, { title: string; html: string }>>;
  /** The HTML of the drawn logo, and the HTML that shows the logo of an installation instead. */
  logo: { drawn: string; own: string };
}

const FOLDER = new URL('./built/', import.meta.url);

/** The built files that a document loads, with their names below `/web/`. */
export function filesOf({ script, style, icon, font }: Assets): (readonly [string, Uint8Array])[] {
  return [script, style, icon, font].map((name) => [name, built(name)] as const);
}

export function readAssets(): Assets {
  return JSON.parse(built('pages.json').toString()) as Assets; // our own build wrote it
}

/** The files of the console in place of those of the pages, whose logo it has. */
export function readConsole(): Assets {
  const own = JSON.parse(built('console.json').toString()) as Partial<Assets>; // our own build wrote it
  return { ...readAssets(), ...own };
}

/** Reads a file that `npm run build` writes. */
function built(name: string): Buffer {
  return readFileSync(new URL(name, FOLDER));
}
