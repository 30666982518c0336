import { createHash } from 'node:crypto';
import type { Log } from '@gatehouse/runtime';
import { query, type Db, type Transaction } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';
import { BASELINE, migrationNames, readMigrations, type Migration } from './migrations.ts';

const LOCK = 7_114_201_982;

/**
 * While a migration waits for a lock, statements of requests queue behind it, and requests have little time. So a
 * migration gives up waiting soon, and tries again.
 */
const LOCK_WAIT_MS = 500;
/** How long one process waits for another. */
const TURN_MS = 2000;
const AGAIN_MS = 1000;

/** Thrown for a database that Gatehouse cannot use. Nothing has been changed in it. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}

const CREATED_BEFORE_1_0 =
  'this database was created by a version before 1.0, which cannot be upgraded, and nothing was changed. ' +
  'Keep it as long as you need its data, and start with an empty database (docs/operations.md, "Upgrades")';

/**
 * Brings the schema up to date: applies the baseline and every numbered migration that is not applied yet, in order,
 * each in its own transaction, or statement by statement. Any number of processes may call this at once; an advisory lock
 * lets only one do the work. `db` needs two connections.
 *
 * If another transaction, such as a dump, has a lock that a migration needs, `migrate` calls `waiting` and retries
 * until it gets the lock; requests continue meanwhile.
 *
 * @returns the names of the migrations that were applied by this call.
 *
 * @throws {UnusableDatabase}
 */
export async function migrate(
  db: Db,
  {
    waiting = () => {},
    migrations,
  }: { waiting?: (name: string) => void; migrations?: readonly Migration[] } = {},
): Promise<string[]> {
  // Postgres composes names for the search in UTF-8 only.
  const encoding = await query.value<string>(db, `select current_setting('server_encoding')`);
  if (encoding !== 'UTF8')
    throw new UnusableDatabase(
      `the database must have the encoding UTF8, not ${encoding}, and nothing was changed. ` +
        'Restore a dump of it in a new one: pg_dump --encoding=UTF8',
    );
  const applied: string[] = [];
  for (const migration of migrations ?? (await readMigrations())) {
    const isNew = await retryOnLock(
      () => apply(db, migration),
      () => waiting(migration.name),
    );
    if (isNew) applied.push(migration.name);
  }
  return applied;
}

export async function retryOnLock<T>(work: () => Promise<T>, waiting = () => {}): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const code = String((error as { code?: unknown }).code);
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
      waiting();
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Lets only one transaction at a time change the schema of this database, or the rights in it; `retryOnLock` begins the
 * others again. They do not wait for long: an index that is built concurrently waits for their transactions.
 */
export async function lockSchema(tx: Transaction): Promise<void> {
  await tx.raw(`set local lock_timeout = ${TURN_MS}`);
  await tx.raw('select pg_advisory_xact_lock(?)', [LOCK]);
  await tx.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`);
}

/**
 * How a migration begins that is no transaction, because it takes long on very many rows. A blank line separates its
 * statements. It is run again from the start if it is cut off.
 */
const IS_OUTSIDE = /^-- Not in a transaction: /;

/** Returns whether this call applied the migration. */
function apply(db: Db, { name, sql, windowsSql = sql }: Migration): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.raw('set local statement_timeout = 0');
    await lockSchema(tx);
    await tx.raw(`create table if not exists migration (
        name text primary key, digest text not null, applied_at timestamptz not null default now())`);
    const applied = await query<{ name: string; digest: string }>(tx, 'select name, digest from migration');
    const known = applied.find((one) => one.name === name);
    const [digest, windowsDigest] = [digestOf(sql), digestOf(windowsSql)];
    const isChanged = known !== undefined && known.digest !== digest && known.digest !== windowsDigest;
    if (name === BASELINE && (known === undefined ? applied.length > 0 : isChanged))
      throw new UnusableDatabase(CREATED_BEFORE_1_0);
    if (isChanged)
      throw new Error(`migration ${name} was changed after it had been applied; add a new one instead`);
    if (known !== undefined) return false;
    if (IS_OUTSIDE.test(sql)) {
      // The transaction stays open for its lock.
      await tx.raw('set local idle_in_transaction_session_timeout = 0');
      for (const part of sql.split('\n\n')) await db.raw(escaped(part));
    } else await tx.raw(escaped(sql));
    await query(tx, 'insert into migration (name, digest) values (?, ?)', [name, digest]);
    return true;
  });
}

/** SQL whose question marks are not parameters. */
function escaped(sql: string): string {
  return sql.replaceAll('?', '\\?');
}

function digestOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/**
 * A readiness check that fails while the schema lacks a migration of this release, and logs when that begins. A newer
 * schema passes, because migrations are compatible with the code of the release before them.
 */
export function createSchemaCheck({ db, log }: { db: Db; log: Log }): () => Promise<void> {
  let missingBefore = '';
  return async () => {
    const missing = (await findMigrations(db)).missing.join(', ');
    if (missing !== '' && missing !== missingBefore)
      log.error('database schema is outdated: run `npm run migrate`', { missing });
    missingBefore = missing;
    if (missing !== '') throw new Error(`the schema lacks ${missing}`);
  };
}

/** The migrations that a database has, in order, and those of this release that it lacks. */
export async function findMigrations(db: Db): Promise<{ applied: string[]; missing: string[] }> {
  const names = await migrationNames();
  const sql = `select to_regprocedure('applied_migrations()') is not null as "isInstalled"`;
  // A database without this function was never migrated.
  if (!(await query.onlyValue<boolean>(db, sql))) return { applied: [], missing: names };
  const found = await query.column<string>(db, 'select name from applied_migrations() as name');
  const applied = found.toSorted();
  const known = new Set(applied);
  return { applied, missing: names.filter((name) => !known.has(name)) };
}

/** The version of Postgres, such as `17.2`. */
export const findServerVersion = statement.value<string>(
  `select split_part(current_setting('server_version'), ' ', 1) as version`,
);
