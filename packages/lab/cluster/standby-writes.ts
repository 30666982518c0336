import assert from 'node:assert/strict';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE, Unavailable } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { withDb } from '../database.ts';

const ANSWER_MS = 5000;

/** Creates a table, in a transaction like those of operations, but without a deadline. */
export function write(url: string, table: string) {
  const create = `create table ${table} (id integer)`;
  return withDb(url, (db) => inTransaction(db, NO_DEADLINE, (tx) => query(tx, create)), {
    applicationName: 'write',
  });
}

/** Selects this expression for each connection that waits for the standby, as soon as there is one. */
export function withWaiting(url: string, what: string) {
  const does = `select ${what} from pg_stat_activity where application_name = 'write' and wait_event = 'SyncRep'`;
  return withDb(url, (db) => eventually(async () => (await query(db, does)).length > 0));
}

/** Writes, and fails if that is acknowledged or not answered in time. */
export async function isNotAcknowledged<T>(url: string, table: string, meanwhile: () => Promise<T>) {
  const begun = performance.now();
  const [happened] = await Promise.all([meanwhile(), assert.rejects(write(url, table), Unavailable)]);
  assert.ok(performance.now() - begun < ANSWER_MS, `${performance.now() - begun} ms`);
  return happened;
}
