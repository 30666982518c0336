import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { inTransaction, query } from '../postgres/connect.ts';
import { during, testDatabase } from '../testing/index.ts';
import { end } from './user-sessions.ts';
import { NO_DEADLINE } from '@gatehouse/runtime';

const ACCOUNTS = [1, 2].map((n) => `0000000${n}-0000-7000-8000-000000000000`);
/** The first account's session is the younger one, and the first that Postgres reads. */
const [YOUNGER = '', OLDER = ''] = [9, 8].map((n) => `0000000${n}-0000-7000-8000-000000000000`);

describe('sessions that are ended together', () => {
  const database = during(testDatabase);
  before(async () => {
    await query(
      database.db,
      `with made as (
         insert into account (id, email, email_key, role)
         select id, id || '@x.example', id || '@x.example', 'User' from unnest(?::uuid[]) id
         returning id
       )
       insert into user_session (id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at)
       select session, account, 1, true, '', '', now() + interval '1 day'
       from unnest(?::uuid[], ?::uuid[]) as given (session, account)`,
      [ACCOUNTS, [YOUNGER, OLDER], ACCOUNTS],
    );
  });

  it('are locked in the order of their ids, so that there are no deadlocks', async () => {
    const { db } = database;
    const ending = await inTransaction(db, NO_DEADLINE, async (tx) => {
      await query(tx, 'select id from user_session where id = ? for update', [OLDER]);
      const change = { status: 4, reason: 'test', changedBy: undefined };
      const bounds = { tokenSeconds: 60, idleSeconds: 600, expiredStatus: 7 };
      const done = inTransaction(db, NO_DEADLINE, (other) =>
        end(other, { kind: 'accounts', accountIds: ACCOUNTS }, change, bounds),
      );
      await eventually(async () => {
        const waiting = await query(
          db,
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      await query(tx, 'select id from user_session where id = ? for update nowait', [YOUNGER]);
      return { done };
    });
    assert.deepEqual(
      (await ending.done).map(({ sessionId }) => sessionId),
      [OLDER, YOUNGER],
    );
  });
});
