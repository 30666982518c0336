import type { Log } from '@gatehouse/runtime';
import { query, type Db, type Executor } from '../postgres/connect.ts';
import { migrationNames } from './migrations.ts';

/**
 * A readiness check that fails while the schema lacks a migration of this release, and logs when that begins. A newer
 * schema passes, because migrations are compatible with the code of the release before them.
 */
export function createSchemaCheck({ db, log }: { db: Db; log: Log }): () => Promise<void> {
  let missingBefore = '';
  return async () => {
    const missing = (await findMigrations(db)).missing.join(', ');
    if (missing !== '' && missing !== missingBefore) {
      log.error('database schema is outdated: run `npm run migrate`', { missing });
    }
    missingBefore = missing;
    if (missing !== '') throw new Error(`the schema lacks ${missing}`);
  };
}

/** The migrations that a database has, in order, and those of this release that it lacks. */
export async function findMigrations(db: Db): Promise<{ applied: string[]; missing: string[] }> {
  const names = await migrationNames();
  const [found] = await query<{ isInstalled: boolean }>(
    db,
    `select to_regprocedure('applied_migrations()') is not null as "isInstalled"`,
  );
  // A database without this function was never migrated.
  if (found?.isInstalled !== true) return { applied: [], missing: names };
  const rows = await query<{ name: string }>(db, 'select name from applied_migrations() as name');
  const applied = rows.map(({ name }) => name).toSorted();
  const known = new Set(applied);
  return { applied, missing: names.filter((name) => !known.has(name)) };
}

/** The version of Postgres, such as `17.2`. */
export async function findServerVersion(executor: Executor): Promise<string | undefined> {
  const sql = `select split_part(current_setting('server_version'), ' ', 1) as version`;
  return await query.value<string>(executor, sql);
}
