import { readdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { query, type Db, type Transaction } from '../postgres/connect.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);
const LOCK = 7_114_201_982;

/**
 * While a migration waits for a lock, statements of requests queue behind it, and requests have little time. So a
 * migration gives up waiting soon, and tries again.
 */
const LOCK_WAIT_MS = 500;
const AGAIN_MS = 1000;

/**
 * Brings the schema up to date: applies every file of `migrations/` that is not applied yet, in order, each in its own
 * transaction. Any number of processes may call this at once; an advisory lock lets only one do the work.
 *
 * If another transaction, such as a dump, has a lock that a migration needs, `migrate` calls `waiting` and retries
 * until it gets the lock; requests continue meanwhile.
 *
 * @returns the names of the files that were applied by this call.
 */
export async function migrate(db: Db, waiting: (name: string) => void = () => {}): Promise<string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted();
  const applied: string[] = [];
  for (const name of files) {
    const sql = await readFile(new URL(name, MIGRATIONS), 'utf8');
    const tryIt = () => apply(db, name, sql);
    const isNew = await retryOnLock(tryIt, () => waiting(name));
    if (isNew) applied.push(name);
  }
  return applied;
}

async function retryOnLock<T>(work: () => Promise<T>, waiting: () => void): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      waiting();
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Lets only one transaction at a time change the schema of this database, or the rights in it. */
export async function lockSchema(tx: Transaction): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(?)', [LOCK]);
}

/** Returns whether this call applied the migration. */
function apply(db: Db, name: string, sql: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.raw('set local statement_timeout = 0');
    await lockSchema(tx);
    await tx.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`);
    await tx.raw(`create table if not exists migration (
        name text primary key, digest text not null, applied_at timestamptz not null default now())`);
    const digest = createHash('sha256').update(sql).digest('hex');
    const [known] = await query<{ digest: string }>(tx, 'select digest from migration where name = ?', [
      name,
    ]);
    if (known !== undefined && known.digest !== digest) {
      throw new Error(`migration ${name} was changed after it had been applied; add a new one instead`);
    }
    if (known !== undefined) return false;
    await tx.raw(sql.replaceAll('?', '\\?'));
    await query(tx, 'insert into migration (name, digest) values (?, ?)', [name, digest]);
    return true;
  });
}
