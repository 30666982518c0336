import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inTransaction, query, STATEMENT_BOUNDS, type Db, type Executor } from '../postgres/connect.ts';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { codeOf } from '../postgres/faults.ts';
import { lockSchema, retryOnLock } from './migrate.ts';

const GRANTS = new URL('./grants.sql', import.meta.url);
const SERVER_FUNCTIONS = new URL('./server-functions.sql', import.meta.url);

/** The services; each has its own database role. */
export const SERVICES = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker'] as const;
export type ServiceName = (typeof SERVICES)[number];
export type ApiName = Exclude<ServiceName, 'mail-worker' | 'hook-worker'>;

/** Thrown if roles are missing and the migrating role may not create them. */
export class RolesMissing extends Error {
  override name = 'RolesMissing';
}

/**
 * Gives every service’s role exactly the rights in grants.sql, in one transaction, so that none is lost for a moment.
 * After every migration, as the owner of the tables, in any number of processes.
 *
 * @throws {RolesMissing} saying what a superuser must do, if roles are missing and cannot be created.
 */
export async function applyGrants(db: Db): Promise<void> {
  const sql = await readFile(GRANTS, 'utf8');
  try {
    await retryOnLock(() =>
      inTransaction(db, NO_DEADLINE, async (tx) => {
        await tx.raw('set local statement_timeout = 0');
        await lockSchema(tx);
        await tx.raw('set local client_min_messages = error');
        await tx.raw(sql.replaceAll('?', '\\?'));
        await revokeServerFunctions(tx);
      }),
    );
  } catch (error) {
    if (!/permission denied to create role/.test(String(error))) throw error;
    const missing = await findMissingRoles(db);
    const statements = missing.map((name) => `create role ${name};`).join(' ');
    throw new RolesMissing(`this role may not create the services' roles; run as a superuser: ${statements}`);
  }
}

/** Revokes functions of Postgres that no service needs, as far as the role of this connection may. */
export async function revokeServerFunctions(executor: Executor): Promise<void> {
  const sql = await readFile(SERVER_FUNCTIONS, 'utf8');
  await executor.raw(sql.replaceAll('?', '\\?'));
}

async function findMissingRoles(db: Db): Promise<string[]> {
  const names = SERVICES.map((service) => loginOf('gatehouse', service));
  const sql = 'select rolname as name from pg_roles where rolname = any(?)';
  const found = await query.column<string>(db, sql, [names]);
  return names.filter((name) => !found.includes(name));
}

export function loginOf(prefix: string, service: ServiceName): string {
  return `${prefix}_${service.replace('-', '_')}`;
}

/**
 * Lets services log in as `<prefix>_core` and so on: the roles themselves with `gatehouse`, else members of them, for a
 * second installation on the server, or a new password while the old one works. Each gets the time-outs of our
 * connections, which members do not inherit.
 */
export async function ensureLogins(
  executor: Executor,
  prefix: string,
  passwords: Partial<Record<ServiceName, string | undefined>>,
): Promise<void> {
  for (const service of SERVICES) {
    const password = passwords[service];
    if (password === undefined) continue;
    const role = loginOf('gatehouse', service);
    const login = loginOf(prefix, service);
    for (const name of new Set([role, login])) await ensureRole(executor, name);
    await run(executor, 'alter role %I login password %L', [login, verifierOf(password)]);
    // Connections request these time-outs themselves, but a pooler may not pass the request on to Postgres.
    for (const [name, milliseconds] of Object.entries(STATEMENT_BOUNDS))
      await run(executor, `alter role %I set ${name} = %L`, [login, `${milliseconds}ms`]);
    if (login !== role) await run(executor, 'grant %I to %I', [role, login]);
  }
}

async function ensureRole(executor: Executor, name: string): Promise<void> {
  const isThere = await query(executor, 'select from pg_roles where rolname = ?', [name]);
  if (isThere.length > 0) return;
  try {
    await run(executor, 'create role %I', [name]);
  } catch (error) {
    // Roles belong to the whole server: another process has created this one first.
    if (codeOf(error) !== DUPLICATE_OBJECT) throw error;
  }
}

/** Statements about roles accept no parameters, so Postgres itself quotes these values. */
async function run(executor: Executor, statement: string, values: string[]): Promise<void> {
  const format = 'select format(?, variadic ?::text[]) as sql';
  const sql = (await query.onlyValue<string>(executor, format, [statement, values])).replaceAll('?', '\\?');
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await query(executor, sql));
    } catch (error) {
      if (tries === TRIES_MAX || !CHANGED_AT_ONCE.includes(codeOf(error))) throw error;
    }
  }
}

/**
 * Roles belong to the whole server, where no lock of ours keeps another process from changing the same one. Postgres then
 * refuses one of the changes: "tuple concurrently updated" (an internal error), or "duplicate key value".
 */
const CHANGED_AT_ONCE = ['XX000', '23505'];
const TRIES_MAX = 20;
const DUPLICATE_OBJECT = '42710';

const ROUNDS = 4096;

/** The stored form (SCRAM-SHA-256, RFC 5803), computed here so that no statement, and no log, has the password. */
function verifierOf(password: string): string {
  // Other characters would have to be normalised first (RFC 4013).
  if (!/^[!-~]+$/.test(password)) throw new Error('a password for Postgres must be of printable ASCII');
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256');
  const key = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(key('Client Key')).digest('base64');
  const serverKey = key('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
