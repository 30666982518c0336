import { defineRoutes, openQuery, reply, textAs, type Route } from '@gatehouse/http';
import { chooseLocale } from './choose-locale.ts';
import { escaped } from './document.ts';
import { PAGE_HEADERS } from './page-headers.ts';

const route = defineRoutes<unknown>();

/** `/` of an address that people open: it leads to the page at `path`. */
export function homeRoute(path: string): Route<unknown> {
  return route({
    method: 'get',
    path: '/',
    summary: `Go to ${path}`,
    access: 'public',
    query: openQuery({}),
    status: 303,
    handler: () => reply({ status: 303, headers: { Location: path, 'Cache-Control': 'no-store' } }),
  });
}

/** What the page for unknown addresses needs. */
interface NotFoundPage {
  /** The name of the installation. */
  name: string;
  style: string;
  brandStyle?: string | undefined;
  icon: string;
  /** The texts by language. */
  textsOf: (locale: string) => Readonly<Record<string, string>>;
  locales: readonly string[];
}

/** The page that the gateway shows to browsers for an unknown address, with status 404. */
export function notFoundRoute(page: NotFoundPage): Route<unknown> {
  return route({
    method: 'get',
    path: '/not-found',
    summary: 'Get the page for unknown addresses',
    access: 'public',
    query: openQuery({}),
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

function documentOf({ name, style, brandStyle, icon, textsOf }: NotFoundPage, locale: string): string {
  const texts = textsOf(locale);
  const words = (key: string): string =>
    escaped((texts[`page.notFound.${key}`] ?? '').replace('{Name}', name));
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${words('title')} – ${escaped(name)}</title>
<link rel="icon" href="/web/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="/web/${style}">
${brandStyle === undefined ? '' : `<link rel="stylesheet" href="/web/${brandStyle}">\n`}</head>
<body>
<main class="unknown-address">
<h1>${words('title')}</h1>
<p>${words('text')}</p>
<p><a href="/">${words('home')}</a></p>
</main>
</body>
</html>
`;
}
