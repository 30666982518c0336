import type { Route } from '@gatehouse/http';
import { routes as adminRoutes } from '@gatehouse/admin';
import { ALL_ROUTES, nameOf, shown } from '../openapi/merged-document.ts';
import { withTables } from './markdown-table.ts';

/**
 * The kinds of callers that a service can distinguish: anonymous ones, holders of a genuine token whose session has
 * ended, people by role, and static tokens by role.
 */
export const CALLERS = [
  'Nobody',
  'Ended session',
  'Guest',
  'User',
  'Admin',
  'Feed token',
  'Service token',
  'Admin token',
] as const;
export type Caller = (typeof CALLERS)[number];

/**
 * The callers that a route's `access` admits.
 *
 * @throws {Error} if the access is unknown.
 */
export function callersOf({ method, path, access }: Pick<Route<never>, 'method' | 'path' | 'access'>) {
  const known = typeof access === 'string' ? BY_NAME.get(access) : access.flatMap(withRole);
  if (known === undefined || known.length === 0) {
    throw new Error(`${method.toUpperCase()} ${path}: nobody knows whom ${JSON.stringify(access)} lets in`);
  }
  return new Set<Caller>(known);
}

const BY_NAME = new Map<string, readonly Caller[]>([
  ['public', CALLERS],
  ['token', CALLERS.filter((caller) => caller !== 'Nobody' && caller !== 'Feed token')],
  ['bearer', ['Guest', 'User', 'Admin', 'Service token', 'Admin token']],
  ['session', ['Guest', 'User', 'Admin']],
  ['admin session', ['Admin']],
]);

function withRole(role: string): readonly Caller[] {
  const callers = BY_ROLE.get(role);
  if (callers === undefined) throw new Error(`nobody knows who has the role ${role}`);
  return callers;
}

const BY_ROLE = new Map<string, readonly Caller[]>([
  ['Guest', ['Guest']],
  ['User', ['User']],
  ['Admin', ['Admin', 'Admin token']],
  ['Service', ['Service token']],
  ['Feed', ['Feed token']],
]);

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
