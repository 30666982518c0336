import { Type } from '@gatehouse/schema';
import { DOCS_POLICY, docsPage } from './docs-page.ts';
import { openapi, type Described } from './openapi.ts';
import { defineRoutes, type Route } from './route.ts';

/** The documents that every service serves of itself: `/openapi.json` for programs and `/docs` for people. */
export function docsRoutes(described: Described): Route<unknown>[] {
  const route = defineRoutes<unknown>();
  const document = openapi(described);
  const page = docsPage(document);
  return [
    route({
      method: 'get',
      path: '/openapi.json',
      summary: 'This API as an OpenAPI 3.1 document',
      access: 'public',
      undocumented: true,
      response: Type.Object({}, { additionalProperties: true }),
      handler: () => document,
    }),
    route({
      method: 'get',
      path: '/docs',
      summary: 'This API as a page to read',
      access: 'public',
      undocumented: true,
      response: Type.String(),
      contentType: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': DOCS_POLICY },
      handler: () => page,
    }),
  ];
}
