import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { inTransaction, query } from '../postgres/connect.ts';
import { during, testDatabase, untilWaiting } from '../testing/index.ts';
import { end } from './user-sessions.ts';
import { NO_DEADLINE } from '@gatehouse/runtime';

const ACCOUNTS = [1, 2].map((n) => `0000000${n}-0000-7000-8000-000000000000`);
/** The first account's session is the younger one, and the first that Postgres reads. */
const [YOUNGER = '', OLDER = ''] = [9, 8].map((n) => `0000000${n}-0000-7000-8000-000000000000`);

const OPENED = `with made as (
    insert into account (id, email, email_key, role)
    select id, id || '@x.example', id || '@x.example', 'User' from unnest(?::uuid[]) id
    returning id
  )
  insert into user_session (id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at)
  select session, account, 1, true, '', '', now() + interval '1 day'
  from unnest(?::uuid[], ?::uuid[]) as given (session, account)`;

describe('sessions that are ended together', () => {
  const database = during(testDatabase);
  before(() => query(database.db, OPENED, [ACCOUNTS, [YOUNGER, OLDER], ACCOUNTS]));

  it('are locked in the order of their ids, so that there are no deadlocks', async () => {
    const { db } = database;
    const ending = await inTransaction(db, NO_DEADLINE, async (tx) => {
      await query(tx, 'select id from user_session where id = ? for update', [OLDER]);
      const change = { status: 4, reason: 'test', changedBy: undefined };
      const bounds = { tokenSeconds: 60, idleSeconds: 600, expiredStatus: 7 };
      const done = inTransaction(db, NO_DEADLINE, (other) =>
        end(other, { kind: 'accounts', accountIds: ACCOUNTS }, change, bounds),
      );
      await untilWaiting(db);
      await query(tx, 'select id from user_session where id = ? for update nowait', [YOUNGER]);
      return { done };
    });
    const ended = (await ending.done).map(({ sessionId }) => sessionId);
    assert.deepEqual(ended, [OLDER, YOUNGER]);
  });
});

describe('the end of a session', () => {
  const database = during(testDatabase);

  /** A session in which somebody is signed in to an application that asks to be told of its end. */
  const signIn = async (): Promise<string> => {
    const [accountId, sessionId, clientId] = [newId(), newId(), newId()];
    await query(
      database.db,
      `with made as (
         insert into account (id, email, email_key) values (:accountId, :email, :email) returning id
       ),
       opened as (
         insert into user_session (id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at)
         select :sessionId, id, 1, true, '', '', now() + interval '1 day' from made returning id, account_id
       ),
       client as (
         insert into oauth_client (id, name, is_public, redirect_uris, backchannel_logout_uri, scopes, grant_types, roles)
         values (:clientId, 'App', true, '{}', 'https://app.example/logout', '{openid}', '{authorization_code}', '{User}')
         returning id
       )
       insert into client_session (id, client_id, account_id, session_id, scopes, refresh_current, refresh_next)
       select :sessionId, client.id, account_id, opened.id, '{openid}', '', '' from opened, client`,
      { accountId, sessionId, clientId, email: `${accountId}@example.com` },
    );
    return sessionId;
  };

  for (const service of ['core', 'portal', 'admin'] as const)
    it(`by ${service} is recorded for the application, whose row it cannot make itself`, async () => {
      const sessionId = await signIn();
      const own = database.connect({ as: service, poolMax: 1 });
      await query(own, 'update user_session set status = 4, ended_at = now() where id = ?', [sessionId]);
      const sql = 'select id, status, logout_token from hook_delivery where session_id = ?';
      type Row = { id: string; status: string; logout_token: string | null };
      const [row, ...more] = await query<Row>(database.db, sql, [sessionId]);
      assert.deepEqual([row?.status, row?.logout_token, more], ['Pending', null, []]);
      assert.match(row?.id ?? '', /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab]/);
      assert.ok((row?.id ?? '') > sessionId, 'the list of deliveries is in the order of their ids');
      await assert.rejects(query(own, 'insert into hook_delivery (client_id) values (null)'), /permission/);
    });
});
