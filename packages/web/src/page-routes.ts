import { extname } from 'node:path';
import { defineRoutes, type Route } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { readAssets } from './assets.ts';
import { chooseLocale } from './choose-locale.ts';
import { documentOf, type PageFacts } from './document.ts';
import { readLocales } from './locales.ts';
import { ASSET_HEADERS, DRAWING_HEADERS, PAGE_HEADERS } from './page-headers.ts';

const route = defineRoutes<unknown>();

/** The account pages and what they load, as routes: `/login`, `/register` and so on, and files below `/web/`. */
export function pageRoutes(facts: PageFacts): Route<unknown>[] {
  const assets = readAssets();
  const locales = readLocales();
  const names = [...locales.keys()];
  return [
    ...Object.keys(assets.pages).map((path) => {
      const documents = new Map(
        [...locales].map(([locale, messages]) => [
          locale,
          documentOf(path, { assets, brandStyle: undefined, locale, locales: names, messages, facts }),
        ]),
      );
      return pageRoute(path, documents);
    }),
    ...[...assets.files].map(([name, text]) => fileRoute(name, text)),
  ];
}

function pageRoute(path: string, documents: ReadonlyMap<string, string>): Route<unknown> {
  const locales = [...documents.keys()];
  return route({
    method: 'get',
    path,
    summary: `Get the page ${path}`,
    access: 'public',
    undocumented: true,
    query: Type.Object({ locale: Type.Optional(Type.String({ maxLength: 35 })) }),
    otherParameters: 'ignored',
    response: Type.String(),
    contentType: 'text/html; charset=utf-8',
    headers: PAGE_HEADERS,
    handler: ({ query, request }) => {
      const accepted = request.headers['accept-language'];
      return documents.get(chooseLocale(locales, { asked: query.locale, accepted })) ?? '';
    },
  });
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

function fileRoute(name: string, text: string): Route<unknown> {
  const ending = extname(name);
  return route({
    method: 'get',
    path: `/web/${name}`,
    summary: `Get ${name}`,
    access: 'public',
    undocumented: true,
    response: Type.String(),
    contentType: TYPES[ending] ?? 'text/plain; charset=utf-8',
    headers: ending === '.svg' ? DRAWING_HEADERS : ASSET_HEADERS,
    handler: () => text,
  });
}
