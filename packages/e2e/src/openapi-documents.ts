import { about as aboutAdmin, routes as adminRoutes } from '@gatehouse/admin';
import { about as aboutCore, routes as coreRoutes } from '@gatehouse/core';
import { openapi } from '@gatehouse/http';
import { about as aboutPortal, routes as portalRoutes } from '@gatehouse/portal';
import { format } from 'prettier';

/** The folder of the documents in the repository. */
export const OPENAPI_FOLDER = new URL('../../../docs/openapi/', import.meta.url);

/** The OpenAPI documents of all services, by their file names, as the services serve them. */
export async function openapiDocuments(): Promise<Map<string, string>> {
  const documents = {
    core: openapi({ ...aboutCore, routes: coreRoutes }),
    portal: openapi({ ...aboutPortal, routes: portalRoutes }),
    admin: openapi({ ...aboutAdmin, routes: adminRoutes }),
  };
  const files = Object.entries(documents).map(async ([name, document]): Promise<[string, string]> => [
    `${name}.json`,
    await format(JSON.stringify(document), { parser: 'json' }),
  ]);
  return new Map(await Promise.all(files));
}
