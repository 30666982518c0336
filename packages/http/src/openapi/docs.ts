import { readdirSync, readFileSync } from 'node:fs';
import { Text, Type } from '@gatehouse/schema';
import type { OpenApi } from './openapi.ts';
import { REFERENCE_POLICY, referencePage } from './reference-page.ts';
import { textAs } from '../media-type.ts';
import { defineRoutes, type Route } from '../route.ts';

const route = defineRoutes<unknown>();

/**
 * The routes of an API's documentation below `folder`: `/openapi.json` for programs and `/docs` for people. The document
 * is made when it is first requested, because that takes as long as a tenth of a start.
 */
export function docsRoutes(read: () => OpenApi, folder = ''): Route<unknown>[] {
  const script = readScript();
  let document: OpenApi | undefined;
  let page: string | undefined;
  return [
    route({
      method: 'get',
      path: `${folder}/openapi.json`,
      summary: 'Get this API as an OpenAPI 3.1 document',
      access: 'public',
      response: Type.Object({}, { additionalProperties: true }),
      handler: () => (document ??= read()),
    }),
    route({
      method: 'get',
      path: `${folder}/docs`,
      summary: 'Get the documentation of this API',
      access: 'public',
      response: textAs('text/html; charset=utf-8'),
      headers: { fixed: { 'Content-Security-Policy': REFERENCE_POLICY } },
      handler: () => (page ??= referencePage((document ??= read()), `/docs/${script.name}`)),
    }),
  ];
}

/** The script of the pages of `docsRoutes`. It is served at `/docs/…`, whatever their folder. */
export function referenceScriptRoute(): Route<unknown> {
  const script = readScript();
  let text: string | undefined;
  return route({
    method: 'get',
    path: '/docs/:file',
    summary: 'Get the script of the documentation',
    access: 'public',
    params: Type.Object({ file: Text(100) }),
    response: textAs('text/javascript; charset=utf-8'),
    headers: {
      fixed: {
        'Cache-Control': 'public, max-age=31536000, immutable',
        // The page's sandbox gives it an origin of its own, which is another one than the script's.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    },
    errors: ['not_found'],
    handler: ({ params, refuse }) => {
      if (params.file !== script.name) throw refuse('not_found');
      return (text ??= readFileSync(script.url, 'utf8'));
    },
  });
}

const FOLDER = new URL('./reference/', import.meta.url);

/** The build puts exactly one file there. Its name changes with its content. */
function readScript(): { name: string; url: URL } {
  const [name] = readdirSync(FOLDER);
  if (name === undefined) throw new Error('the script of the API reference is not built: npm run build');
  return { name, url: new URL(name, FOLDER) };
}
