import { NO_DEADLINE } from '@gatehouse/runtime';
import { connectDb, inTransaction, query, type Db, type Transaction } from '../postgres/connect.ts';

/** More rows than a page of a list scans. */
export const MANY = 70_000;
/** The id of row `n` of `numbers`, as SQL. */
export const NUMBERED_ID = "('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid";

/** Fills a database without the time-outs of services: statements on all rows take longer than a request may. */
export async function fill(url: string, work: (db: Db) => Promise<unknown>): Promise<void> {
  const filling = connectDb({ url, applicationName: 'test', poolMax: 1, hasLongTimeouts: true });
  try {
    await work(filling);
  } finally {
    await filling.destroy();
  }
}

/** Runs each INSERT … SELECT once with `n` from 1 to `MANY` in `numbers`. */
export async function fillTables(url: string, statements: Readonly<Record<string, string>>): Promise<void> {
  await fill(url, async (db) => {
    for (const statement of Object.values(statements))
      await query(db, `with numbers as (select n from generate_series(1, ${MANY}) n) ${statement}`);
    await query(db, `vacuum analyze ${Object.keys(statements).join(', ')}`);
  });
}

/** What a search returns, and the number of rows that it reads, of a table or (`%`) of all. */
export function reading<T>(db: Db, table: string, find: (tx: Transaction) => Promise<T>) {
  return inTransaction(db, NO_DEADLINE, async (tx) => {
    // The count may include rows of earlier transactions, until the connection reports them.
    const before = await readOf(tx, table);
    const found = await find(tx);
    return { found, read: (await readOf(tx, table)) - before };
  });
}

async function readOf(tx: Transaction, table: string): Promise<number> {
  const sql = `select cast(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as integer)
     from pg_stat_xact_user_tables where relname like ?`;
  return (await query.value<number>(tx, sql, [table])) ?? 0;
}
