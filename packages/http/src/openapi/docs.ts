import { Type } from '@gatehouse/schema';
import { DOCS_POLICY, docsPage } from './docs-page.ts';
import type { OpenApi } from './openapi.ts';
import { defineRoutes, type Route } from '../route.ts';

/** An API's documents, below `folder`: `/openapi.json` for programs and `/docs` for people. */
export function docsRoutes(document: OpenApi, folder = ''): Route<unknown>[] {
  const route = defineRoutes<unknown>();
  const page = docsPage(document);
  return [
    route({
      method: 'get',
      path: `${folder}/openapi.json`,
      summary: 'Get this API as an OpenAPI 3.1 document',
      access: 'public',
      undocumented: true,
      response: Type.Object({}, { additionalProperties: true }),
      handler: () => document,
    }),
    route({
      method: 'get',
      path: `${folder}/docs`,
      summary: 'Get the documentation of this API',
      access: 'public',
      undocumented: true,
      response: Type.String(),
      contentType: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': DOCS_POLICY },
      handler: () => page,
    }),
  ];
}
