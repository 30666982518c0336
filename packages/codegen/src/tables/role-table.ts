import { routes as adminRoutes } from '@gatehouse/admin';
import type { Route } from '@gatehouse/http';
import { groupedBy } from '@gatehouse/runtime';
import { ALL_ROUTES, nameOf } from '../openapi/merged-document.ts';
import { readPart, withParts } from './markdown-table.ts';

/** What a service can distinguish; `Ended session`: a genuine token whose session has ended. */
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

/** @throws {Error} if the access is unknown. */
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

export const ROLES_PAGE = 'docs/roles.md';

/** The expected page: its own text around the lists that are generated from the routes. */
export function rolesPage(): Promise<string> {
  const callers = groupedBy(ALL_ROUTES, ({ route }) => labelOf(callersOf(route)));
  const roles = [...callers]
    .toSorted(([one], [other]) => Number(other === EVERYBODY) - Number(one === EVERYBODY))
    .flatMap(([label, routes]) => [
      `- **${label}**`,
      ...[...groupedBy(routes, ({ api }) => api)].map(
        ([api, own]) => `  - ${api}: ${own.map(({ route }) => `\`${nameOf(route)}\``).join(', ')}`,
      ),
    ]);
  const proofs = [...groupedBy(proven(), proofOf)]
    .filter(([proof]) => proof !== NEVER)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([proof, routes]) => `- ${proof}: ${routes.map((route) => `\`${nameOf(route)}\``).join(', ')}`);
  return withParts(ROLES_PAGE, { roles, proofs });
}

const EVERYBODY = 'Everybody';
/** Routes that need no proof are not listed. */
const NEVER = 'Never';

function labelOf(callers: ReadonlySet<Caller>): string {
  return callers.size === CALLERS.length
    ? EVERYBODY
    : CALLERS.filter((caller) => callers.has(caller)).join(', ');
}

export function readRoles(): { name: string; path: string; api: string; admitted: Caller[] }[] {
  let [callers, api]: [readonly Caller[], string] = [[], ''];
  const rows: ReturnType<typeof readRoles> = [];
  for (const [, label, ofApi, name = '', path = ''] of readPart(ROLES_PAGE, 'roles').matchAll(PARTS)) {
    if (label !== undefined) {
      const named = label.split(/,\s+/);
      callers = label === EVERYBODY ? CALLERS : CALLERS.filter((caller) => named.includes(caller));
    } else if (ofApi === undefined) rows.push({ name, path, api, admitted: [...callers] });
    else api = ofApi;
  }
  return rows;
}

/** A label of callers, an API, or a route. */
const PARTS = /^- \*\*([^*]+)\*\*|^ {2}- (\w+):|`([A-Z]+ (\/[^`]*))`/gm;

function proven() {
  return adminRoutes.filter(
    ({ method, access, recent }) => (method !== 'get' && access !== 'public') || recent !== undefined,
  );
}

function proofOf({ recent, ...route }: Pick<Route<never>, 'recent' | 'method' | 'path'>): string {
  // The types require the same.
  if (recent === undefined)
    throw new Error(`${nameOf(route)} does not say whether it requires a fresh proof`);
  if (recent === true) return '**Always**';
  if (recent === 'session') return '**Always of a person**';
  return 'when' in recent ? `If ${recent.when}` : NEVER;
}
