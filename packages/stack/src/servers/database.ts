import { connectDb, ensureLogins, loginOf, query, SERVICES, type Db, type ServiceName } from '@gatehouse/db';
import type { Secrets } from '../stack/secrets.ts';

const OWNER = 'gatehouse';

/** A database, as its owner and as each service reaches it. */
export interface Database {
  url: string;
  serviceUrls: Record<ServiceName, string>;
}

/** The stack's database on its private Postgres, made when it is not there; its owner is no superuser. */
export async function ensureDatabase(postgresUrl: string, secrets: Secrets): Promise<Database> {
  const password = secrets.value('postgres', 16);
  const passwords = passwordsFrom(secrets);
  await asSuperuser(postgresUrl, async (db) => {
    // The password is hexadecimal; neither statement takes parameters.
    if (!(await exists(db, 'pg_roles', 'rolname')))
      await query(db, `create role ${OWNER} login password '${password}'`);
    if (!(await exists(db, 'pg_database', 'datname')))
      await query(db, `create database ${OWNER} owner ${OWNER}`);
    await ensureLogins(db, OWNER, passwords);
  });
  const at = inDatabase(postgresUrl, OWNER);
  return { url: withLogin(at, OWNER, password), serviceUrls: serviceUrls(at, OWNER, passwords) };
}

/**
 * A database of this name on a server that others use too, and how it is removed. The services' logins are its own
 * as well: the roles themselves may have passwords that others count on.
 */
export async function temporaryDatabase(
  postgresUrl: string,
  name: string,
  secrets: Secrets,
): Promise<Database & { drop: () => Promise<void> }> {
  const passwords = passwordsFrom(secrets);
  await asSuperuser(postgresUrl, async (db) => {
    await query(db, `create database ${name}`);
    await ensureLogins(db, name, passwords);
  });
  const url = inDatabase(postgresUrl, name);
  const drop = (): Promise<void> =>
    asSuperuser(postgresUrl, async (db) => {
      await query(db, `drop database if exists ${name} with (force)`);
      for (const service of SERVICES) await query(db, `drop role if exists ${loginOf(name, service)}`);
    });
  return { url, serviceUrls: serviceUrls(url, name, passwords), drop };
}

type Passwords = Record<ServiceName, string>;

function passwordsFrom(secrets: Secrets): Passwords {
  return forEachService((service) => secrets.value(`postgres-${service}`, 16));
}

function serviceUrls(at: string, prefix: string, passwords: Passwords): Record<ServiceName, string> {
  return forEachService((service) => withLogin(at, loginOf(prefix, service), passwords[service]));
}

function forEachService(value: (service: ServiceName) => string): Record<ServiceName, string> {
  const entries = SERVICES.map((service) => [service, value(service)]);
  return Object.fromEntries(entries) as Record<ServiceName, string>; // one of each
}

function inDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function withLogin(at: string, name: string, password: string): string {
  const url = new URL(at);
  url.username = name;
  url.password = password;
  return url.href;
}

async function exists(db: Db, table: string, column: string): Promise<boolean> {
  return (await query(db, `select 1 from ${table} where ${column} = ?`, [OWNER])).length > 0;
}

async function asSuperuser(url: string, work: (db: Db) => Promise<void>): Promise<void> {
  const db = connectDb({ url, applicationName: 'gatehouse-stack', poolMax: 1 });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}
