import { routes as adminRoutes } from '@gatehouse/admin';
import type { Route } from '@gatehouse/http';
import { ALL_ROUTES, nameOf, shown } from '../openapi/routes.ts';
import { withTables } from './markdown-table.ts';
import { CALLERS, callersOf } from './callers.ts';

/** The page that documents the callers of each route. */
export const ROLES_PAGE = 'docs/roles.md';

/** The expected page: its own text around the tables that are generated from the routes. */
export function rolesPage(): Promise<string> {
  const head = ['Method', 'Path', 'API', ...CALLERS];
  const rows = ALL_ROUTES.map(({ api, route }) => {
    const admitted = callersOf(route);
    const cells = CALLERS.map((caller) => (admitted.has(caller) ? 'yes' : ''));
    return [route.method.toUpperCase(), `\`${shown(route.path)}\``, api, ...cells];
  });
  return withTables(ROLES_PAGE, { roles: [head, ...rows], proofs: [PROOF_HEAD, ...proofRows()] });
}

const PROOF_HEAD = ['Method', 'Path', 'Fresh proof'];

/** The routes of Admin that write on somebody's behalf, or always require a fresh proof. */
function proofRows(): string[][] {
  return adminRoutes
    .filter(({ method, access, recent }) => (method !== 'get' && access !== 'public') || recent !== undefined)
    .map((route) => [route.method.toUpperCase(), `\`${shown(route.path)}\``, proofOf(route)]);
}

function proofOf({ recent, ...route }: Pick<Route<never>, 'recent' | 'method' | 'path'>): string {
  // The types require the same.
  if (recent === undefined)
    throw new Error(`${nameOf(route)} does not say whether it requires a fresh proof`);
  if (recent === true) return '**always**';
  if (recent === 'session') return '**always** of a person';
  return 'when' in recent ? `if ${recent.when}` : `no: ${recent.never}`;
}
