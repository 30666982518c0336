import type { Assets } from './assets.ts';

/** What a page's text is made with. */
export interface Frame {
  assets: Assets;
  /** The brand's style sheet below `/web/`, where there is one. */
  brandStyle: string | undefined;
  locale: string;
  locales: readonly string[];
  messages: Readonly<Record<string, string>>;
  facts: PageFacts;
}

/** What pages know of the installation; `PageData` in src/ui says what each is for. */
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

/** A page as it is sent: its whole text in the reader's language, and what its script needs. */
export function documentOf(path: string, frame: Frame): string {
  const { assets, locale, locales, facts } = frame;
  const { Name, PasswordMinLength, SupportUrl } = facts;
  // What is the same for everybody is put into the texts here, the rest by the script.
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

/** The page with the installation's own logo in the place of the drawn one. */
function withLogo(html: string, { assets: { logo }, facts }: Frame): string {
  const { Logo: light, LogoDark: dark = light } = facts;
  if (light === undefined || dark === undefined) return html;
  return html.replace(logo.drawn, () => logo.own.replace('[[=Logo]]', light).replace('[[=LogoDark]]', dark));
}

const MARKER = /\[\[([\w.=]+)\]\]/g;

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** A text as it stands in HTML. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
