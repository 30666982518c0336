import type { Assets } from './assets.ts';

/** The data from which the HTML of a page is made. */
export interface Frame {
  assets: Assets;
  /** The brand's style sheet below `/web/`, if there is one. */
  brandStyle: string | undefined;
  locale: string;
  locales: readonly string[];
  messages: Readonly<Record<string, string>>;
  facts: PageFacts;
}

/** The data about the installation that pages receive. `PageData` in src/ui describes the fields. */
interface PageFacts {
  Name: string;
  Logo?: string | undefined;
  LogoDark?: string | undefined;
  SupportUrl?: string | undefined;
  PrivacyUrl?: string | undefined;
  TermsUrl?: string | undefined;
  PublicUrl: string;
  AppUrl?: string | undefined;
  PasswordMinLength: number;
  EraseAfterDays: number;
}

/** The HTML of a page as it is sent: all texts in the reader's language, and the data for its script. */
export function documentOf(path: string, frame: Frame): string {
  const { assets, locale, locales, facts } = frame;
  const { Name, PasswordMinLength, SupportUrl } = facts;
  // Values that are the same for every visitor are filled in here, the others by the script.
  const standing: Record<string, string> = { Name, PasswordMinLength: String(PasswordMinLength) };
  const messages = Object.fromEntries(
    Object.entries(frame.messages).map(([key, text]) => [key, filled(text, standing)]),
  );
  const data = { Locale: locale, Locales: locales, Messages: messages, ...facts };
  const { title = '', html = '' } = assets.pages[path] ?? {};
  const words = (marked: string): string =>
    marked.replaceAll(MARKER, (_, key: string) => escaped(messages[key] ?? Name));
  const help = SupportUrl && ` <a href="${escaped(SupportUrl)}">${words('[[page.noscript.help]]')}</a>`;
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${filled(words('[[page.title]]'), { title: words(title) })}</title>
<link rel="icon" href="/web/${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="/web/${assets.style}">
${frame.brandStyle ? `<link rel="stylesheet" href="/web/${frame.brandStyle}">\n` : ''}<script type="module" src="/web/${assets.script}" defer></script>
</head>
<body>
<noscript><p class="noscript">${words('[[page.noscript]]')}${help ?? ''}</p></noscript>
<div id="page">${words(withLogo(html, frame))}</div>
<script type="application/json" id="page-data">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>
</body>
</html>
`;
}

/** Replaces the drawn logo in the page with the logo of the installation, if it has one. */
function withLogo(html: string, { assets: { logo }, facts }: Frame): string {
  const { Logo: light, LogoDark: dark = light } = facts;
  if (light === undefined || dark === undefined) return html;
  return html.replace(logo.drawn, () => logo.own.replace('[[=Logo]]', light).replace('[[=LogoDark]]', dark));
}

const MARKER = /\[\[([\w.=]+)\]\]/g;

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Escapes a text for HTML. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
