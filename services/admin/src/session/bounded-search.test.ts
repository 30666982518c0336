import assert from 'node:assert/strict';
import {
  boundedCount,
  connectDb,
  inTransaction,
  LAST_ID as LAST,
  query,
  type Transaction,
} from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { findRange, rowsOf } from './store.ts';

const ROWS = 70_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const ID = "('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid";

/** Changes of all rows take longer on a busy machine than a request may. */
function connectFilling(url: string) {
  return connectDb({ url, applicationName: 'test', poolMax: 1, hasLongTimeouts: true });
}

describe('a search of very many sessions', function () {
  this.timeout(60_000);
  let database: Awaited<ReturnType<typeof testDatabase>>;
  before(async () => {
    database = await testDatabase();
    const filling = connectFilling(database.url);
    for (const sql of [
      `insert into account (id, email, email_key, role, display_name)
       select ${ID}, 'person' || n || '@x.example', 'person' || n || '@x.example', 'User',
         case when n = 5 then 'Ann zquint' else 'Ann ' || n end from numbers`,
      `insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at, end_reason)
       select ${ID}, ${ID}, 7, false, '', '', now(), now(), 'expired' from numbers`,
    ])
      await query(filling, `with numbers as (select n from generate_series(1, ${ROWS}) n) ${sql}`);
    await query(filling, 'vacuum analyze account, user_session');
    await filling.destroy();
  });
  after(() => database.drop());

  /** The number of rows of a table that a search reads, and what the search returns. */
  const reading = <T>(table: string, find: (tx: Transaction) => Promise<T>) =>
    inTransaction(database.db, NO_DEADLINE, async (tx) => {
      // The count may include rows of earlier transactions, until the connection reports them.
      const before = await readOf(tx, table);
      const found = await find(tx);
      return { found, read: (await readOf(tx, table)) - before };
    });

  it('reads only the accounts of the sessions that it checks', async () => {
    const stretch = { beforeId: LAST, fromId: FIRST, max: 50 };
    for (const search of ['zq', '-/-', 'nobody']) {
      const { found, read } = await reading('account', (tx) => findRange(tx, { search }, stretch));
      assert.deepEqual([found.sessions.length, typeof found.nextBeforeId], [0, 'string']);
      assert.ok(read <= 20_000, `${search}: ${read}`);
    }
  });

  it('reads only active sessions to find viewers', async () => {
    const stretch = { beforeId: LAST, fromId: FIRST, max: 50 };
    const [watching] = await query<{ id: string }>(
      database.db,
      `update user_session
       set content_definition_id = id, status = 1, ended_at = null, end_reason = null, last_pinged_at = now()
       where id = (select id from user_session order by id limit 1)
       returning id`,
    );
    const contentDefinitionId = watching?.id ?? '';
    const filling = connectFilling(database.url);
    await query(filling, 'update user_session set content_definition_id = ?', [contentDefinitionId]);
    await filling.destroy();
    await query(database.db, 'analyze user_session');
    for (const conditions of [{ online: { is: true, windowSeconds: 60 } }, { status: 1 } as const]) {
      const { found, read } = await reading('user_session', (tx) =>
        findRange(tx, { contentDefinitionId, ...conditions }, stretch),
      );
      assert.deepEqual(
        [found.sessions.map(({ id }) => id), found.nextBeforeId],
        [[contentDefinitionId], undefined],
      );
      assert.ok(read < 100, String(read));
    }
  });

  it('counts idle sessions from active ones, without reading accounts', async () => {
    const idle = rowsOf({ status: 1, lastSeenBefore: new Date(Date.now() + 60_000) });
    for (const table of ['user_session', 'account']) {
      const { found, read } = await reading(table, (tx) =>
        boundedCount(tx, idle, { max: 10_000, milliseconds: 2000 }),
      );
      assert.equal(found, 1);
      assert.ok(read < (table === 'account' ? 1 : 100), `${table}: ${read}`);
    }
  });
});

async function readOf(tx: Transaction, table: string): Promise<number> {
  const [row] = await query<{ read: number }>(
    tx,
    `select cast(seq_tup_read + coalesce(idx_tup_fetch, 0) as integer) as read
     from pg_stat_xact_user_tables where relname = ?`,
    [table],
  );
  return row?.read ?? 0;
}
