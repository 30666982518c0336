import { routes as adminRoutes } from '@gatehouse/admin';
import { routes as coreRoutes } from '@gatehouse/core';
import { routes as portalRoutes } from '@gatehouse/portal';
import { CONSOLE_PATHS, PAGE_PATHS } from '@gatehouse/schema';

/** A service by its name in the gateway's configuration, with the paths of its routes. */
interface Service {
  name: string;
  routes: readonly { path: string }[];
}

/** The account pages and their files, whether or not Portal serves them (`HOSTED_PAGES`). */
const PAGES: readonly { path: string }[] = [
  ...Object.values(PAGE_PATHS).map((path) => ({ path })),
  { path: '/' },
  { path: '/.well-known/change-password' },
  { path: '/web/:file' },
];

/** The console and its files; its screens also call some routes of Core. */
const CONSOLE: readonly { path: string }[] = [
  ...CONSOLE_PATHS.map((path) => ({ path })),
  { path: '/' },
  { path: '/web/:file' },
];
const PERSONS = coreRoutes.filter(({ path }) => /^\/person\b/.test(path));

/** The services behind each address of the gateway, by the file that its map includes. */
export const DOORS: Record<string, readonly Service[]> = {
  'services/gateway/public-paths.conf': [
    { name: 'core', routes: coreRoutes },
    { name: 'portal', routes: [...portalRoutes, ...PAGES] },
  ],
  'services/gateway/admin-paths.conf': [
    { name: 'admin', routes: [...adminRoutes, ...CONSOLE] },
    { name: 'core', routes: PERSONS },
  ],
};

export function gatewayPaths(): Map<string, string> {
  return new Map(Object.entries(DOORS).map(([file, services]) => [file, pathTable(services)]));
}

/** nginx takes the first row that matches. @throws {Error} for a path of two services, and one that no row can say. */
export function pathTable(services: readonly Service[]): string {
  const byShape = new Map<string, string>();
  for (const { name, routes } of services) {
    for (const { path } of routes) {
      if (!/^(\/|(\/:?[\w.-]+)+)$/.test(path)) throw new Error(`no row of the gateway can say ${path}`);
      const shape = path.replaceAll(/:\w+/g, PARAMETER);
      const other = byShape.get(shape) ?? name;
      if (other !== name)
        throw new Error(`${path} is in ${other} and in ${name}: which does the gateway ask?`);
      byShape.set(shape, name);
    }
  }
  const rows = [...byShape.keys()].toSorted().map((shape) => {
    const pattern = shape.replaceAll('.', String.raw`\.`).replaceAll(PARAMETER, '[^/?]+');
    return String.raw`"~^${pattern}(\?|$)" ${byShape.get(shape)};`;
  });
  return [HEAD, ...rows, ''].join('\n');
}

/** A character that no path contains and that sorts after all others. */
const PARAMETER = '\uffff';

const HEAD = '# Written by `npm run build` from the routes of the services and the paths of the pages.';
