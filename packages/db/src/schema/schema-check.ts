import { readdir } from 'node:fs/promises';
import type { Log } from '@gatehouse/runtime';
import { query, type Db } from '../postgres/connect.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/**
 * A readiness check that fails while the schema lacks a migration of this release, and logs when that begins. A newer
 * schema passes: migrations keep the code before them running.
 */
export function createSchemaCheck({ db, log }: { db: Db; log: Log }): () => Promise<void> {
  let missingBefore = '';
  return async () => {
    const missing = (await findMissing(db)).join(', ');
    if (missing !== '' && missing !== missingBefore) {
      log.error('database schema is outdated: run `npm run migrate`', { missing });
    }
    missingBefore = missing;
    if (missing !== '') throw new Error(`the schema lacks ${missing}`);
  };
}

async function findMissing(db: Db): Promise<string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted();
  const [found] = await query<{ isTold: boolean }>(
    db,
    `select to_regprocedure('applied_migrations()') is not null as "isTold"`,
  );
  // A database without this function was last migrated before this check existed, or never.
  if (found?.isTold !== true) return files.slice(-1);
  const rows = await query<{ name: string }>(db, 'select name from applied_migrations() as name');
  const applied = new Set(rows.map(({ name }) => name));
  return files.filter((name) => !applied.has(name));
}
