import { readdirSync, readFileSync } from 'node:fs';
import { LANGUAGES } from './ui/languages.ts';
import { fill, type PageData } from './ui/locale.ts';

/** The data from which the HTML of a page is made. */
export interface Frame {
  assets: Assets;
  /** The brand's style sheet below `/web/`, if there is one. */
  brandStyle: string | undefined;
  hasOwnFont: boolean;
  locale: string;
  locales: readonly string[];
  messages: Readonly<Record<string, string>>;
  facts: PageFacts;
}

/** The data about the installation that pages receive. */
type PageFacts = Omit<PageData, 'Locale' | 'Locales' | 'Messages' | 'ConsoleUrl' | 'FaceImageOrigins'>;

/** The HTML of a page as it is sent: all texts in the reader's language, and the data for its script. */
export function documentOf(path: string, frame: Frame): string {
  const { assets, locale, locales, facts } = frame;
  const { Name, PasswordMinLength, SupportUrl } = facts;
  const preload = frame.hasOwnFont ? '' : fontLink(assets.font);
  // Values that are the same for every visitor are filled in here, the others by the script.
  const standing: Record<string, string> = { Name, PasswordMinLength: String(PasswordMinLength) };
  const messages = Object.fromEntries(
    Object.entries(frame.messages).map(([key, text]) => [key, fill(text, standing)]),
  );
  const data = { Locale: locale, Locales: locales, Messages: messages, ...facts };
  const { title = '', html = '' } = assets.pages[path] ?? {};
  const words = (marked: string) =>
    marked.replaceAll(MARKER, (_, key: string) => escaped(messages[key] ?? Name));
  const help = SupportUrl && ` <a href="${escaped(SupportUrl)}">${words('[[page.noscript.help]]')}</a>`;
  const head = beginning(locale, fill(words('[[page.title]]'), { title: words(title) }), assets);
  return `${head}${preload}${frame.brandStyle ? `<link rel="stylesheet" href="/web/${frame.brandStyle}">\n` : ''}<script type="module" src="/web/${assets.script}" defer></script>
</head>
<body>
<noscript><p class="noscript">${words('[[page.noscript]]')}${help ?? ''}</p></noscript>
<div id="page">${words(withLogo(html, frame))}</div>
<script type="application/json" id="page-data">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>
</body>
</html>
`;
}

/** Begins a document for every size of screen and both themes, and not for search engines. The title is HTML. */
export function beginning(locale: string, title: string, files: Pick<Assets, 'icon' | 'style'>): string {
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/web/${files.icon}" type="image/svg+xml">
<link rel="stylesheet" href="/web/${files.style}">
`;
}

/** Replaces the drawn logo in the page with the logo of the installation, if it has one. */
export function withLogo(
  html: string,
  { assets: { logo }, facts }: { assets: Pick<Assets, 'logo'>; facts: Pick<PageFacts, 'Logo' | 'LogoDark'> },
): string {
  const { Logo: light, LogoDark: dark = light } = facts;
  if (light === undefined || dark === undefined) return html;
  return html.replace(logo.drawn, () => logo.own.replace('[[=Logo]]', light).replace('[[=LogoDark]]', dark));
}

const MARKER = /\[\[([\w.=]+)\]\]/g;

/** Loads the typeface with the style that names it, and not after it: so the text is drawn once. */
function fontLink(font: string): string {
  return `<link rel="preload" href="/web/${font}" as="font" type="font/woff2" crossorigin>\n`;
}

/** Escapes a text for HTML. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The console's document. It contains the data for its script, and no data of accounts. */
export function consoleDocument({
  assets,
  locale,
  messages,
  faceImageOrigins,
  consoleUrl,
}: {
  assets: ConsoleAssets;
  locale: string;
  messages: Readonly<Record<string, string>>;
  faceImageOrigins: readonly string[];
  /** The origin at which browsers open the console (`ADMIN_URL`). */
  consoleUrl: string | undefined;
}): string {
  const { script, font } = assets;
  const data = {
    Locale: locale,
    Locales: LANGUAGES,
    Messages: messages,
    Name: 'Gatehouse',
    PasswordMinLength: 8,
    EraseAfterDays: 0,
    FaceImageOrigins: faceImageOrigins,
    ConsoleUrl: consoleUrl,
  };
  const noscript = escaped(messages['console.noscript'] ?? '');
  return `${beginning(locale, 'Gatehouse', assets)}${fontLink(font)}<script type="module" src="/web/${script}" defer></script>
</head>
<body>
<noscript><p class="noscript">${noscript}</p></noscript>
<div id="console"></div>
<script type="application/json" id="page-data">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>
</body>
</html>
`;
}

/** The built files of the account pages. */
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
  /** The files that are served below `/web/`, by name. */
  files: ReadonlyMap<string, Uint8Array>;
}

const FOLDER = new URL('./built/', import.meta.url);

/** The built files that a document loads, with their names below `/web/`. */
export function filesOf({ script, style, icon, font }: ConsoleAssets): [string, Uint8Array][] {
  return [...readAssets().files].filter(([name]) => [script, style, icon, font].includes(name));
}

/** Reads the files that `npm run build` writes. */
export function readAssets(): Assets {
  const read = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
  const names = readdirSync(FOLDER).filter((name) => !name.endsWith('.json'));
  return {
    ...(JSON.parse(read('pages.json').toString()) as Omit<Assets, 'files'>), // our own build wrote it
    files: new Map(names.map((name) => [name, read(name)])),
  };
}

export type ConsoleAssets = Pick<Assets, 'script' | 'style' | 'icon' | 'font'>;

export function readConsole(): ConsoleAssets {
  return JSON.parse(readFileSync(new URL('console.json', FOLDER), 'utf8')) as ConsoleAssets; // our own build wrote it
}
