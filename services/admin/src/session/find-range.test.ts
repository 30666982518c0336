import assert from 'node:assert/strict';
import { query, type Executor } from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import { findRange } from './store.ts';

const ACCOUNT = '00000001-0000-7000-8000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST = '00000000-0000-0000-0000-000000000000';
const idOf = (n: number) => `00000002-0000-7000-8000-${String(n).padStart(12, '0')}`;

describe('the list of sessions', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  before(async () => {
    database = await testDatabase();
    const { db } = database;
    await query(
      db,
      `insert into account (id, email, email_key, role) values (?, 'a@x.example', 'a@x.example', 'User')`,
      [ACCOUNT],
    );
    // One query scans 10,000 sessions: the only match is the first session after those.
    await query(
      db,
      `insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at)
       select ('00000002-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ?, case when n = 5 then 4 else 1 end,
         false, '', '', now() + interval '1 day', case when n = 5 then now() end
       from generate_series(1, 10005) n`,
      [ACCOUNT],
    );
  });
  after(() => database.drop());

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

  it('continues where it stopped', async () => {
    assert.deepEqual(await walk(database.db), [idOf(5)]);
  });

  it('neither skips nor repeats sessions with concurrent changes', async () => {
    const gone = meanwhile(() => query(database.db, 'delete from user_session where id = ?', [idOf(9999)]));
    assert.deepEqual(await walk(gone), [idOf(5)]);
  });
});
