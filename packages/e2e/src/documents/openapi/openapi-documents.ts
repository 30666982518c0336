import { about as aboutAdmin, routes as adminRoutes } from '@gatehouse/admin';
import { about as aboutCore, routes as coreRoutes } from '@gatehouse/core';
import { openapi } from '@gatehouse/http';
import { about as aboutPortal, routes as portalRoutes } from '@gatehouse/portal';
import { format } from 'prettier';
import { mergedDocument } from './merged-document.ts';

/** The root folder of the repository. */
export const ROOT = new URL('../../../../../', import.meta.url);

/** The OpenAPI documents that the services and the gateway serve, by file. */
export async function openapiDocuments(): Promise<Map<string, string>> {
  const documents = {
    'docs/openapi/core': openapi({ ...aboutCore, routes: coreRoutes }),
    'docs/openapi/portal': openapi({ ...aboutPortal, routes: portalRoutes }),
    'docs/openapi/admin': openapi({ ...aboutAdmin, routes: adminRoutes }),
    // In the folder of Core, which serves it, because no service knows the routes of another.
    'services/core/src/public-openapi': mergedDocument(),
  };
  const files = Object.entries(documents).map(async ([name, document]): Promise<[string, string]> => [
    `${name}.json`,
    await format(JSON.stringify(document), { parser: 'json' }),
  ]);
  return new Map(await Promise.all(files));
}
