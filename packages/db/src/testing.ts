import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { testServers } from '@gatehouse/runtime/testing';
import { connectDb, type Db } from './connect.ts';
import { migrate } from './migrate.ts';

/** A database of the test's own, cloned from a migrated template; `drop` removes it. */
export async function testDatabase(): Promise<{ db: Db; url: string; drop: () => Promise<void> }> {
  const { TEST_POSTGRES_URL } = testServers();
  const server = connectDb({ url: TEST_POSTGRES_URL, applicationName: 'test', poolMax: 1 });
  const template = await ensureTemplate(server, TEST_POSTGRES_URL);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await server.raw(`create database ${name} template ${template}`);
  const url = withDatabase(TEST_POSTGRES_URL, name);
  const db = connectDb({ url, applicationName: 'test', poolMax: 10 });
  const drop = async (): Promise<void> => {
    await db.destroy();
    await server.raw(`drop database if exists ${name} with (force)`);
    await server.destroy();
  };
  return { db, url, drop };
}

/** One template for each state of the migrations; whoever comes first makes it. */
async function ensureTemplate(server: Db, serverUrl: string): Promise<string> {
  const folder = new URL('./migrations/', import.meta.url);
  const digest = createHash('sha256');
  for (const name of readdirSync(folder).toSorted()) digest.update(readFileSync(new URL(name, folder)));
  const template = `template_${digest.digest('hex').slice(0, 16)}`;
  await server.raw('select pg_advisory_lock(42)');
  try {
    const { rows } = await server.raw<{ rows: unknown[] }>('select 1 from pg_database where datname = ?', [
      template,
    ]);
    if (rows.length === 0) {
      await server.raw(`create database ${template}_new`);
      const db = connectDb({
        url: withDatabase(serverUrl, `${template}_new`),
        applicationName: 'test',
        poolMax: 1,
      });
      await migrate(db);
      await db.destroy();
      await server.raw(`alter database ${template}_new rename to ${template}`);
    }
  } finally {
    await server.raw('select pg_advisory_unlock(42)');
  }
  return template;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
