import { bytesAs, defineSubjects, reply, type Route, textAs } from '@gatehouse/http';
import { extname } from 'node:path';
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

/** The language that an address asks for, or else the browser (`Accept-Language`, RFC 9110 §12.5.4), or else the first. */
export function chooseLocale<L extends string>(
  locales: readonly [L, ...L[]],
  { asked, accepted = '' }: { asked: string | undefined; accepted: string | undefined },
): L {
  for (const language of [asked ?? '', ...preferences(accepted)]) {
    const found = languageOf(language, locales);
    if (found !== undefined) return found;
  }
  return locales[0];
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

export const route = defineSubjects<unknown>()({ access: 'public' });

/** A path that leads to the page at `path`; by default `/`, of an address that people open. */
export function redirectRoute(path: string, from: `/${string}` = '/'): Route<unknown> {
  return route(`GET ${from}`, {
    summary: `Go to ${path}`,
    status: 303,
    handler: () => reply({ status: 303, headers: { Location: path, 'Cache-Control': 'no-store' } }),
  });
}

/** The page that the gateway shows to browsers for an unknown address, with status 404. */
export function notFoundRoute<L extends string>(
  locales: readonly [L, ...L[]],
  documentIn: (locale: L) => string,
): Route<unknown> {
  return route('GET /not-found', {
    summary: 'Get the page for unknown addresses',
    response: textAs('text/html; charset=utf-8'),
    status: 404,
    headers: { fixed: PAGE_HEADERS },
    handler: ({ request }) =>
      documentIn(chooseLocale(locales, { asked: undefined, accepted: request.headers['accept-language'] })),
  });
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
