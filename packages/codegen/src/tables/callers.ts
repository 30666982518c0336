import type { Route } from '@gatehouse/http';

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
