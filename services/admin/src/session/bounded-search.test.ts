import assert from 'node:assert/strict';
import { boundedCount, LAST_ID as LAST, query, type Executor } from '@gatehouse/db';
import { during, fill, fillTables, NUMBERED_ID, reading, testDatabase } from '@gatehouse/db/testing';
import { findRange, rowsOf } from './store.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';

describe('a search of very many sessions', function () {
  this.timeout(60_000);
  const database = during(testDatabase);
  before(async () => {
    await fillTables(database.url, {
      account: `insert into account (id, email, email_key, role, display_name)
       select ${NUMBERED_ID}, 'person' || n || '@x.example', 'person' || n || '@x.example', 'User',
         case when n = 5 then 'Ann zquint' else 'Ann ' || n end from numbers`,
      user_session: `insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at, end_reason)
       select ${NUMBERED_ID}, ${NUMBERED_ID}, 7, false, '', '', now(), now(), 'expired' from numbers`,
    });
  });

  it('reads only the accounts of the sessions that it checks', async () => {
    const stretch = { beforeId: LAST, fromId: FIRST, max: 50 };
    for (const search of ['zq', '-/-', 'nobody']) {
      const { found, read } = await reading(database.db, 'account', (tx) =>
        findRange(tx, { search }, stretch),
      );
      assert.deepEqual([found.sessions.length, typeof found.nextBeforeId], [0, 'string']);
      assert.ok(read <= 20_000, `${search}: ${read}`);
    }
  });

  it('reads only active sessions to find viewers', async () => {
    const stretch = { beforeId: LAST, fromId: FIRST, max: 50 };
    const statement = `update user_session
       set content_definition_id = id, status = 1, ended_at = null, end_reason = null, last_pinged_at = now()
       where id = (select id from user_session order by id limit 1)
       returning id`;
    const contentDefinitionId = await query.onlyValue<string>(database.db, statement, []);
    await fill(database.url, (db) =>
      query(db, 'update user_session set content_definition_id = ?', [contentDefinitionId]),
    );
    await query(database.db, 'analyze user_session');
    for (const conditions of [{ online: { is: true, windowSeconds: 60 } }, { status: 1 } as const]) {
      const { found, read } = await reading(database.db, 'user_session', (tx) =>
        findRange(tx, { contentDefinitionId, ...conditions }, stretch),
      );
      const ids = [found.sessions.map(({ id }) => id), found.nextBeforeId];
      assert.deepEqual(ids, [[contentDefinitionId], undefined]);
      assert.ok(read < 100, String(read));
    }
  });

  it('counts idle sessions from active ones, without reading accounts', async () => {
    const idle = rowsOf({ status: 1, lastSeenBefore: new Date(Date.now() + 60_000) });
    for (const table of ['user_session', 'account']) {
      const { found, read } = await reading(database.db, table, (tx) =>
        boundedCount(tx, idle, { max: 10_000, milliseconds: 2000 }),
      );
      assert.equal(found, 1);
      assert.ok(read < (table === 'account' ? 1 : 100), `${table}: ${read}`);
    }
  });
});

const ACCOUNT = '00000001-0000-7000-8000-000000000000';
const idOf = (n: number) => `00000002-0000-7000-8000-${String(n).padStart(12, '0')}`;

describe('the list of sessions', () => {
  const database = during(testDatabase);
  before(async () => {
    const { db } = database;
    const statement = `insert into account (id, email, email_key, role)
      values (?, 'a@x.example', 'a@x.example', 'User')`;
    await query(db, statement, [ACCOUNT]);
    // One query scans 10,000 sessions: the only match is the first session after those.
    const insertUserSession = `insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at)
       select ('00000002-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ?, case when n = 5 then 4 else 1 end,
         false, '', '', now() + interval '1 day', case when n = 5 then now() end
       from generate_series(1, 10005) n`;
    await query(db, insertUserSession, [ACCOUNT]);
  });

  /** Runs `work` after the first statement. */
  const meanwhile = (work: () => Promise<unknown>): Executor => {
    let isDone = false;
    const raw = async (sql: string, bindings: never) => {
      const result = await database.db.raw(sql, bindings);
      if (!isDone) {
        isDone = true;
        await work();
      }
      return result;
    };
    return { raw } as unknown as Executor; // all that a query uses
  };

  const walk = async (executor: Executor) => {
    const found: string[] = [];
    let beforeId: string | undefined = LAST;
    while (beforeId !== undefined) {
      const stretch = { beforeId, fromId: FIRST, max: 10 };
      const conditions = { userIds: [ACCOUNT], status: 4 } as const;
      const { sessions, nextBeforeId } = await findRange(executor, conditions, stretch);
      found.push(...sessions.map(({ id }) => id));
      beforeId = nextBeforeId;
    }
    return found;
  };

  it('continues where it stopped, and neither skips nor repeats sessions with concurrent changes', async () => {
    const gone = meanwhile(() => query(database.db, 'delete from user_session where id = ?', [idOf(9999)]));
    assert.deepEqual(await walk(gone), [idOf(5)]);
  });
});
