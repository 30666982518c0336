import {
  connectDb,
  ensureLogins,
  loginOf,
  query,
  revokeServerFunctions,
  SERVICES,
  type Db,
  type ServiceName,
} from '@gatehouse/db';
import type { Secrets } from '../stack/secrets.ts';

const OWNER = 'gatehouse';

/** The URLs of a database, for its owner and for each service. */
export interface Database {
  url: string;
  serviceUrls: Record<ServiceName, string>;
}

/** Creates the stack's database on its private Postgres if it does not exist. Its owner is not a superuser. */
export async function ensureDatabase(postgresUrl: string, secrets: Secrets): Promise<Database> {
  const password = secrets.value('postgres', 16);
  const passwords = passwordsFrom(secrets);
  await asSuperuser(postgresUrl, async (db) => {
    // The password is hexadecimal, so no escaping is needed. These statements do not support parameters.
    if (!(await exists(db, 'pg_roles', 'rolname')))
      await query(db, `create role ${OWNER} login password '${password}'`);
    if (!(await exists(db, 'pg_database', 'datname')))
      await query(db, `create database ${OWNER} owner ${OWNER}`);
    await ensureLogins(db, OWNER, passwords);
  });
  const at = inDatabase(postgresUrl, OWNER);
  // The owner may not.
  await asSuperuser(at, revokeServerFunctions);
  return { url: withLogin(at, OWNER, password), serviceUrls: serviceUrls(at, OWNER, passwords) };
}

/**
 * Creates a database on a server that others use too, and returns how to remove it. The logins of the services are
 * also specific to it, because others may rely on the passwords of the roles themselves.
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
  return Object.fromEntries(entries) as Record<ServiceName, string>; // one entry per service
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
