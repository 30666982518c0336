import { routes as adminRoutes } from '@gatehouse/admin';
import { routes as coreRoutes } from '@gatehouse/core';
import type { Route } from '@gatehouse/http';
import { routes as portalRoutes } from '@gatehouse/portal';
import { withTable } from '../documents/markdown-table.ts';
import { CALLERS, callersOf } from './callers.ts';

/** The page that documents the callers of each route. */
export const ROLES_PAGE = 'docs/roles.md';

/** All routes of all services. */
export const ALL_ROUTES: readonly { api: 'Core' | 'Portal' | 'Admin'; route: Route<never> }[] = [
  ...coreRoutes.map((route) => ({ api: 'Core', route }) as const),
  ...portalRoutes.map((route) => ({ api: 'Portal', route }) as const),
  ...adminRoutes.map((route) => ({ api: 'Admin', route }) as const),
];

/** The name of a route on the page. */
export function nameOf({ method, path }: Pick<Route<never>, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${shown(path)}`;
}

/** The expected page: its own text around the table that is generated from the routes. */
export function rolesPage(): Promise<string> {
  const head = ['Method', 'Path', 'API', ...CALLERS];
  const rows = ALL_ROUTES.map(({ api, route }) => {
    const admitted = callersOf(route);
    const cells = CALLERS.map((caller) => (admitted.has(caller) ? 'yes' : ''));
    return [route.method.toUpperCase(), `\`${shown(route.path)}\``, api, ...cells];
  });
  return withTable(ROLES_PAGE, 'roles', [head, ...rows]);
}

function shown(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
