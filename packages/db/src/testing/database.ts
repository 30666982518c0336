import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eventually, testServers } from '@gatehouse/runtime/testing';
import { connectDb, query, type Binding, type Db, type Executor } from '../postgres/connect.ts';
import { applyGrants, ensureLogins, loginOf, SERVICES, type ServiceName } from '../schema/grants.ts';
import { migrate, readMigrations } from '../schema/migrate.ts';

export type TestDatabase = Awaited<ReturnType<typeof testDatabase>>;

/** Clones a database from a migrated template; `drop` removes it. */
export async function testDatabase() {
  const { postgresUrl } = testServers();
  // Creating a database may take seconds on a busy machine.
  const options = { applicationName: 'test', poolMax: 10, hasLongTimeouts: true };
  const server = connectDb({ url: postgresUrl, ...options, poolMax: 1 });
  const template = await ensureTemplate(server, postgresUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying whole files takes half the processor time of logging each page, which is the default.
  await server.raw(`create database ${name} template ${template} strategy file_copy`);
  const url = changed(postgresUrl, { pathname: name });
  const db = connectDb({ url, ...options });
  const pools = [db];
  const drop = async (): Promise<void> => {
    for (const pool of pools) await pool.destroy();
    await server.raw(`drop database if exists ${name} with (force)`);
    await server.destroy();
  };
  return {
    /** Connected as a superuser, for preparing and checking data. */
    db,
    url,
    /** The same database as a service connects to it, with only that service's rights. */
    urlAs: (service: ServiceName) => databaseUrlAs(url, service),
    /** Another pool, with the rights of a service if one is given. It ends with the database. */
    connect: ({ as, ...more }: Partial<Parameters<typeof connectDb>[0]> & { as?: ServiceName }): Db => {
      const own = as === undefined ? url : databaseUrlAs(url, as);
      const pool = connectDb({ url: own, applicationName: 'test', poolMax: 2, ...more });
      pools.push(pool);
      return pool;
    },
    drop,
  };
}

/** Adds a row with these values by the names of its fields (`isPublic` for `is_public`). */
export async function insertRow(db: Db, table: string, values: Record<string, Binding>): Promise<void> {
  const columns = Object.keys(values).map((name) => name.replaceAll(/[A-Z]/g, '_$&').toLowerCase());
  const places = columns.map(() => '?').join(', ');
  await query(db, `insert into ${table} (${columns.join(', ')}) values (${places})`, Object.values(values));
}

/** Waits until this number of transactions wait for a lock. */
export async function untilWaiting(db: Executor, count = 1): Promise<void> {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => (await query.count(db, waiting)) >= count);
}

export function databaseUrlAs(url: string, service: ServiceName): string {
  return changed(url, { username: loginOf('test', service), password: PASSWORD });
}

const PASSWORD = 'test';

/** One template for each state of the schema and grants; the first run creates it. */
async function ensureTemplate(server: Db, serverUrl: string): Promise<string> {
  const digest = createHash('sha256');
  for (const { sql } of await readMigrations()) digest.update(sql);
  digest.update(readFileSync(new URL('../schema/grants.sql', import.meta.url)));
  const template = `template_${digest.digest('hex').slice(0, 16)}`;
  await server.raw('select pg_advisory_lock(42)');
  try {
    const sql = 'select 1 from pg_database where datname = ?';
    const { rows } = await server.raw<{ rows: unknown[] }>(sql, [template]);
    if (rows.length === 0) {
      // A run whose migration failed leaves a database behind.
      await server.raw(`drop database if exists ${template}_new with (force)`);
      await server.raw(`create database ${template}_new`);
      const url = changed(serverUrl, { pathname: `${template}_new` });
      const db = connectDb({ url, applicationName: 'test', poolMax: 2, hasLongTimeouts: true });
      await migrate(db);
      await applyGrants(db);
      await ensureLogins(db, 'test', Object.fromEntries(SERVICES.map((service) => [service, PASSWORD])));
      await db.destroy();
      await server.raw(`alter database ${template}_new rename to ${template}`);
    }
  } finally {
    await server.raw('select pg_advisory_unlock(42)');
  }
  return template;
}

function changed(url: string, parts: Partial<Pick<URL, 'pathname' | 'username' | 'password'>>): string {
  return Object.assign(new URL(url), parts).href;
}
