import { bytesAs, defineSubjects, reply, type Route, textAs } from '@gatehouse/http';
import { extname } from 'node:path';
import { beginning, escaped } from './document.ts';
import { languageOf } from './ui/languages.ts';

/** The headers of every page: it loads and calls only its own origin, and cannot be framed. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'no-referrer',
} as const;

/** The headers of files whose name changes with their content. */
const ASSET_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** An SVG may contain styles and nothing else, even if it is opened directly. */
const DRAWING_HEADERS = {
  ...ASSET_HEADERS,
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
} as const;

/**
 * The language of a page: the one requested in its address, or else the one that the browser prefers
 * (`Accept-Language`, RFC 9110 §12.5.4), or else the first.
 */
export function chooseLocale(
  locales: readonly string[],
  { asked, accepted = '' }: { asked: string | undefined; accepted: string | undefined },
): string {
  const wanted = [asked ?? '', ...preferences(accepted)];
  for (const language of wanted) {
    const found = languageOf(language, locales);
    if (found !== undefined) return found;
  }
  return locales[0] ?? 'en';
}

const PREFERENCES_MAX = 20;

function preferences(accepted: string): string[] {
  return accepted
    .split(',', PREFERENCES_MAX)
    .map((part) => {
      const [language = '', weight = ''] = part.split(';');
      return { language: language.trim(), weight: Number(/q=([\d.]{1,5})/.exec(weight)?.[1] ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language);
}

const route = defineSubjects<unknown>()({ access: 'public' });

/** A path that leads to the page at `path`; by default `/`, of an address that people open. */
export function redirectRoute(path: string, from: `/${string}` = '/'): Route<unknown> {
  return route(`GET ${from}`, {
    summary: `Go to ${path}`,
    status: 303,
    handler: () => reply({ status: 303, headers: { Location: path, 'Cache-Control': 'no-store' } }),
  });
}

interface NotFoundPage {
  /** The name of the installation. */
  name: string;
  style: string;
  brandStyle?: string | undefined;
  icon: string;
  /** The HTML of the logo. */
  logo: string;
  textsOf: (locale: string) => Readonly<Record<string, string>>;
  locales: readonly string[];
}

/** The page that the gateway shows to browsers for an unknown address, with status 404. */
export function notFoundRoute(page: NotFoundPage): Route<unknown> {
  return route('GET /not-found', {
    summary: 'Get the page for unknown addresses',
    response: textAs('text/html; charset=utf-8'),
    status: 404,
    headers: { fixed: PAGE_HEADERS },
    handler: ({ request }) => {
      const accepted = request.headers['accept-language'];
      const locale = chooseLocale(page.locales, { asked: undefined, accepted });
      return documentOf(page, locale);
    },
  });
}

function documentOf({ name, style, brandStyle, icon, logo, textsOf }: NotFoundPage, locale: string): string {
  const texts = textsOf(locale);
  // The classes are those of `ui/page.module.css`, as the build names them.
  const words = (key: string) => escaped((texts[`page.notFound.${key}`] ?? '').replace('{Name}', name));
  return `${beginning(locale, `${words('title')} – ${escaped(name)}`, { icon, style })}${brandStyle === undefined ? '' : `<link rel="stylesheet" href="/web/${brandStyle}">\n`}</head>
<body>
<div class="page_page page_card">
<header class="page_header"><a class="page_home" href="/">${logo}<span class="page_name">${escaped(name)}</span></a></header>
<main class="page_main">
<h1 class="page_title">${words('title')}</h1>
<p class="page_lead">${words('text')}</p>
<div class="page_content"><a href="/">${words('home')}</a></div>
</main>
</div>
</body>
</html>
`;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** A file below `/web/`, whose name changes with its content. */
export function fileRoute(name: string, contents: string | Uint8Array): Route<unknown> {
  const ending = extname(name);
  const bytes = Buffer.from(contents);
  return route(`GET /web/${name}`, {
    summary: `Get ${name}`,
    response: bytesAs(TYPES[ending] ?? 'text/plain; charset=utf-8'),
    headers: { fixed: ending === '.svg' ? DRAWING_HEADERS : ASSET_HEADERS },
    handler: () => bytes,
  });
}
