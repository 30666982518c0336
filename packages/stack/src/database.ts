import { connectDb, query } from '@gatehouse/db';

const OWNER = 'gatehouse';

/** The stack's database on its private Postgres, made when it is not there; its owner is no superuser. */
export async function ensureDatabase(postgresUrl: string, password: string): Promise<string> {
  await asSuperuser(postgresUrl, async (run) => {
    // The password is hexadecimal; neither statement takes parameters.
    if (!(await exists(run, 'pg_roles', 'rolname')))
      await run(`create role ${OWNER} login password '${password}'`);
    if (!(await exists(run, 'pg_database', 'datname'))) await run(`create database ${OWNER} owner ${OWNER}`);
  });
  const url = new URL(postgresUrl);
  url.username = OWNER;
  url.password = password;
  url.pathname = `/${OWNER}`;
  return url.href;
}

/** A database of this name on a server that others use too, and how it is removed. */
export async function temporaryDatabase(
  postgresUrl: string,
  name: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  await asSuperuser(postgresUrl, (run) => run(`create database ${name}`));
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await asSuperuser(postgresUrl, (run) => run(`drop database if exists ${name} with (force)`));
    },
  };
}

type Run = (sql: string, bindings?: string[]) => Promise<unknown[]>;

async function exists(run: Run, table: string, column: string): Promise<boolean> {
  return (await run(`select 1 from ${table} where ${column} = ?`, [OWNER])).length > 0;
}

async function asSuperuser(url: string, work: (run: Run) => Promise<unknown>): Promise<void> {
  const db = connectDb({ url, applicationName: 'gatehouse-stack', poolMax: 1 });
  try {
    await work((sql, bindings) => query(db, sql, bindings));
  } finally {
    await db.destroy();
  }
}
