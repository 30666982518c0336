import { connectDb, ensureLogins, loginOf, query, revokeServerFunctions, SERVICES } from '@gatehouse/db';
import type { Db, ServiceName } from '@gatehouse/db';
import type { Secrets } from '../stack/secrets.ts';

const OWNER = 'gatehouse';

/** The database on the private Postgres, created if it does not exist. Its owner is not a superuser. */
export async function ensureDatabase(postgresUrl: string, secrets: Secrets) {
  const password = secrets.value('postgres', 16);
  const { passwords, urlsAt } = loginsOf(secrets, OWNER);
  await withDatabase(postgresUrl, async (db) => {
    // The password is hexadecimal, so no escaping is needed. These statements do not support parameters.
    if (!(await exists(db, 'pg_roles', 'rolname')))
      await query(db, `create role ${OWNER} login password '${password}'`);
    if (!(await exists(db, 'pg_database', 'datname')))
      await query(db, `create database ${OWNER} owner ${OWNER}`);
    await ensureLogins(db, OWNER, passwords);
  });
  const at = changed(postgresUrl, { pathname: OWNER });
  // The owner may not.
  await withDatabase(at, revokeServerFunctions);
  return { url: changed(at, { username: OWNER, password }), serviceUrls: urlsAt(at) };
}

/** On a server that others use too: its logins are its own, as others may rely on the passwords of the roles. */
export async function temporaryDatabase(postgresUrl: string, name: string, secrets: Secrets) {
  const { passwords, urlsAt } = loginsOf(secrets, name);
  await withDatabase(postgresUrl, async (db) => {
    await query(db, `create database ${name}`);
    await ensureLogins(db, name, passwords);
  });
  const url = changed(postgresUrl, { pathname: name });
  const drop = (): Promise<void> =>
    withDatabase(postgresUrl, async (db) => {
      await query(db, `drop database if exists ${name} with (force)`);
      for (const service of SERVICES) await query(db, `drop role if exists ${loginOf(name, service)}`);
    });
  return { url, serviceUrls: urlsAt(url), drop };
}

/** The passwords of the services' logins, whose names begin with this prefix, and their URLs of a database. */
function loginsOf(secrets: Secrets, prefix: string) {
  const each = (value: (service: ServiceName) => string) =>
    Object.fromEntries(SERVICES.map((service) => [service, value(service)])) as Record<ServiceName, string>; // all
  const passwords = each((service) => secrets.value(`postgres-${service}`, 16));
  const urlsAt = (url: string) =>
    each((service) => changed(url, { username: loginOf(prefix, service), password: passwords[service] }));
  return { passwords, urlsAt };
}

/** The URL with another database (`pathname`) or login. */
function changed(url: string, parts: Partial<Pick<URL, 'pathname' | 'username' | 'password'>>): string {
  return Object.assign(new URL(url), parts).href;
}

async function exists(db: Db, table: string, column: string): Promise<boolean> {
  return (await query(db, `select 1 from ${table} where ${column} = ?`, [OWNER])).length > 0;
}

/** Creating or dropping a database writes to disk, for longer than a request may wait: `isPatient` waits for it. */
export async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>, isPatient = true) {
  const db = connectDb({ url, applicationName: 'gatehouse-stack', poolMax: 1, hasLongTimeouts: isPatient });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
