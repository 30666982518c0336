import { readFile } from 'node:fs/promises';
import { routes as adminRoutes } from '@gatehouse/admin';
import { routes as coreRoutes } from '@gatehouse/core';
import type { Route } from '@gatehouse/http';
import { routes as portalRoutes } from '@gatehouse/portal';
import { format } from 'prettier';
import { CALLERS, callersOf } from './callers.ts';

/** The page that documents the callers of each route. */
export const ROLES_PAGE = new URL('../../../../docs/roles.md', import.meta.url);

/** All routes of all services. */
export const ALL_ROUTES: readonly { api: 'Core' | 'Portal' | 'Admin'; route: Route<never> }[] = [
  ...coreRoutes.map((route) => ({ api: 'Core', route }) as const),
  ...portalRoutes.map((route) => ({ api: 'Portal', route }) as const),
  ...adminRoutes.map((route) => ({ api: 'Admin', route }) as const),
];

const BEGIN = '<!-- roles -->';
const END = '<!-- /roles -->';

/** The name of a route on the page. */
export function nameOf({ method, path }: Pick<Route<never>, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${shown(path)}`;
}

/** The expected page: its own text around the table that is generated from the routes. */
export async function rolesPage(): Promise<string> {
  const text = await readFile(ROLES_PAGE, 'utf8');
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start === -1 || end < start) throw new Error(`${ROLES_PAGE.pathname} has no place for the table`);
  const page = `${text.slice(0, start)}${BEGIN}\n\n${table()}\n\n${text.slice(end)}`;
  return format(page, { parser: 'markdown' });
}

function table(): string {
  const head = ['Method', 'Path', 'API', ...CALLERS];
  const rows = ALL_ROUTES.map(({ api, route }) => {
    const admitted = callersOf(route);
    const cells = CALLERS.map((caller) => (admitted.has(caller) ? 'yes' : ''));
    return [route.method.toUpperCase(), `\`${shown(route.path)}\``, api, ...cells];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function shown(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
