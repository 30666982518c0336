import { routes as adminRoutes } from '@gatehouse/admin';
import { routes as coreRoutes } from '@gatehouse/core';
import type { Route } from '@gatehouse/http';
import { routes as portalRoutes } from '@gatehouse/portal';

/** All routes of all services. */
export const ALL_ROUTES: readonly { api: 'Core' | 'Portal' | 'Admin'; route: Route<never> }[] = [
  ...coreRoutes.map((route) => ({ api: 'Core', route }) as const),
  ...portalRoutes.map((route) => ({ api: 'Portal', route }) as const),
  ...adminRoutes.map((route) => ({ api: 'Admin', route }) as const),
];

/** The name of a route in documents. */
export function nameOf({ method, path }: Pick<Route<never>, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${shown(path)}`;
}

/** A path as documents show it. */
export function shown(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
