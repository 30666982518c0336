import { extname } from 'node:path';
import { defineRoutes, textAs, type Route } from '@gatehouse/http';
import { ASSET_HEADERS, DRAWING_HEADERS } from './page-headers.ts';

const route = defineRoutes<unknown>();

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** A file below `/web/`, whose name changes with its content. */
export function fileRoute(name: string, text: string): Route<unknown> {
  const ending = extname(name);
  return route({
    method: 'get',
    path: `/web/${name}`,
    summary: `Get ${name}`,
    access: 'public',
    response: textAs(TYPES[ending] ?? 'text/plain; charset=utf-8'),
    headers: { fixed: ending === '.svg' ? DRAWING_HEADERS : ASSET_HEADERS },
    handler: () => text,
  });
}
