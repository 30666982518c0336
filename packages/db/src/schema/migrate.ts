import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Log } from '@gatehouse/runtime';
import { query, type Db, type Transaction } from '../postgres/connect.ts';
import { codeOf } from '../postgres/faults.ts';
import { statement } from '../postgres/statements.ts';

const LOCK = 7_114_201_982;

/** Statements of requests queue behind a migration that waits: it gives up soon, and tries again. */
const LOCK_WAIT_MS = 500;
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
 * Applies the baseline and every numbered migration that is not applied yet, in order, each in a transaction, or
 * statement by statement; returns their names. Any number of processes may call this: an advisory lock lets one do the
 * work. `db` needs two connections. While another transaction, such as a dump, has a needed lock, it calls `waiting`
 * and retries; requests continue meanwhile. @throws {UnusableDatabase}
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
      if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(codeOf(error))) throw error;
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

/** A migration that takes long is no transaction: statements, separated by blank lines, that run again if cut off. */
const IS_OUTSIDE = /^-- Not in a transaction: /;

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

export const findServerVersion = statement.value<string>(
  `select split_part(current_setting('server_version'), ' ', 1) as version`,
);

const BASELINE_FOLDER = new URL('./baseline/', import.meta.url);
const NUMBERED_FOLDER = new URL('./migrations/', import.meta.url);

/** The name of the baseline, which is applied first, as a whole. */
export const BASELINE = '0000_baseline';

/** The files of the baseline, in an order in which each refers only to earlier ones. */
export const BASELINE_FILES = [
  'account.sql',
  'audit.sql',
  'session.sql',
  'login.sql',
  'email-login.sql',
  'sign-in.sql',
  'two-factor.sql',
  'passkey.sql',
  'sso.sql',
  'guest.sql',
  'person.sql',
  'mail.sql',
  'token.sql',
  'oauth.sql',
  'webhook.sql',
  'statistics.sql',
  'erasure.sql',
  'erase.sql',
  'export.sql',
];

export interface Migration {
  name: string;
  sql: string;
  /** As 1.0.0 read it from a checkout with the line ends of Windows, and noted its digest. */
  windowsSql?: string;
}

/** The names of the baseline and the numbered migrations, in the order in which they are applied. */
async function migrationNames(): Promise<string[]> {
  const numbered = (await readdir(NUMBERED_FOLDER)).filter((name) => name.endsWith('.sql'));
  return [BASELINE, ...numbered.toSorted()];
}

export async function readMigrations(): Promise<Migration[]> {
  const names = await migrationNames();
  return Promise.all(names.map(readMigration));
}

async function readMigration(name: string): Promise<Migration> {
  const files =
    name === BASELINE
      ? BASELINE_FILES.map((file) => new URL(file, BASELINE_FOLDER))
      : [new URL(name, NUMBERED_FOLDER)];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  // Whatever line ends the checkout has: they do not change what SQL does.
  const parts = texts.map((text) => text.replaceAll('\r\n', '\n'));
  const windowsSql = parts.map((text) => text.replaceAll('\n', '\r\n')).join('\n');
  return { name, sql: parts.join('\n'), windowsSql };
}
