import { readdirSync, readFileSync } from 'node:fs';
import { Type } from '@gatehouse/schema';
import type { OpenApi } from './openapi.ts';
import { referencePage, referencePolicy } from './reference-page.ts';
import { bytesAs, textAs } from '../media-type.ts';
import { defineSubjects, type Route } from '../route.ts';

const route = defineSubjects<unknown>()({ access: 'public' });

/**
 * The routes of an API's documentation below `folder`: `/openapi.json` for programs and `/docs` for people. The document
 * is made when it is first requested, because that takes as long as a tenth of a start.
 */
export function docsRoutes(read: () => OpenApi, folder: '' | '/public' = ''): Route<unknown>[] {
  const files = readFiles();
  let document: OpenApi | undefined;
  let page: string | undefined;
  return [
    route(`GET ${folder}/openapi.json`, {
      summary: 'Get this API as an OpenAPI 3.1 document',
      response: Type.Object({}, { additionalProperties: true }),
      handler: () => (document ??= read()),
    }),
    route(`GET ${folder}/docs`, {
      summary: 'Get the documentation of this API',
      response: textAs('text/html; charset=utf-8'),
      headers: { fixed: { 'Content-Security-Policy': referencePolicy(files) } },
      handler: () => (page ??= referencePage((document ??= read()), files)),
    }),
  ];
}

/** The files of the pages of `docsRoutes`. They are served at `/docs/…`, whatever the folder of the pages. */
export function referenceFileRoutes(): Route<unknown>[] {
  const { script, font } = readFiles();
  return [fileRoute(script, 'text/javascript; charset=utf-8'), fileRoute(font, 'font/woff2')];
}

function fileRoute(name: string, mediaType: string): Route<unknown> {
  let bytes: Uint8Array | undefined;
  return route(`GET /docs/${name}`, {
    summary: `Get ${name}`,
    response: bytesAs(mediaType),
    headers: {
      fixed: {
        'Cache-Control': 'public, max-age=31536000, immutable',
        // The page's sandbox gives it an origin of its own, which is another one than that of its files.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    },
    rules: { cors: 'any' },
    handler: () => (bytes ??= readFileSync(new URL(name, FOLDER))),
  });
}

const FOLDER = new URL('./reference/', import.meta.url);

/** The build puts exactly these there. Their names change with their content. */
function readFiles(): { script: string; font: string } {
  const names = readdirSync(FOLDER);
  const [script, font] = ['.js', '.woff2'].map((ending) => names.find((name) => name.endsWith(ending)));
  if (script === undefined || font === undefined)
    throw new Error('the script of the API reference is not built: npm run build');
  return { script, font };
}
