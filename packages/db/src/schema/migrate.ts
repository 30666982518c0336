import { readdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { query, type Db } from '../postgres/connect.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);
const LOCK = 7_114_201_982;

/**
 * Brings the schema up to date: every file of `migrations/` not yet applied, in order, each in its own
 * transaction. Any number of processes may call it at once; an advisory lock lets one do the work.
 *
 * @returns the names of the files that were applied now.
 */
export async function migrate(db: Db): Promise<string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted();
  const applied: string[] = [];
  for (const name of files) {
    const sql = await readFile(new URL(name, MIGRATIONS), 'utf8');
    const done = await db.transaction(async (tx) => {
      await tx.raw('set local statement_timeout = 0');
      await tx.raw('select pg_advisory_xact_lock(?)', [LOCK]);
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
    if (done) applied.push(name);
  }
  return applied;
}
