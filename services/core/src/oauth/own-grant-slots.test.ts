import assert from 'node:assert/strict';
import { atOnce, PASSWORD, statusesOf } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { claimsIn, newPkce, useOAuth } from './testing.ts';

/** Core with two slots for televisions, and an application for them whose sign-ins have no session. */
function useTelevisions(more: { SESSION_LIMIT?: 'refuse' } = {}) {
  const settings = { SESSION_SLOTS: 'web:1,tv:2', ...more };
  const fields = { grants: 'own', sessionTag: 'tv', name: 'Television' } as const;
  const { core, client, ann } = useOAuth(fields, settings);
  const living = (sql: string) => query.column<string>(core.app.db, sql, [ann.id]);
  return {
    ...{ core, client, ann },
    open: async () => {
      const { access_token: token, refresh_token: refresh } = await core.open(client, ann);
      return { token, refresh, id: String(claimsIn(token)['sid']) };
    },
    grants: () => living('select id from client_session where account_id = ? order by id'),
    sessions: () =>
      living(`select id from user_session where account_id = ? and tag = 'tv' and ended_at is null`),
  };
}

describe('a sign-in of its own with a SessionTag', () => {
  const { core, client, ann, open, grants, sessions } = useTelevisions();

  const userinfo = async (token: string) => (await core.userinfo(token)).status;

  it('ends the one of its tag that was not used for the longest time, if every slot is taken', async () => {
    const [one, two] = [await open(), await open()];
    const { body } = await core.refresh(client, one.refresh);
    const three = await open();
    assert.deepEqual(await grants(), [one.id, three.id]);
    const told = `select status, reason from session_event where session_id = ?`;
    assert.deepEqual(await core.sql(told, [two.id]), [{ status: 4, reason: 'signed_out' }]);
    await eventually(async () => (await userinfo(two.token)) === 401, 1);
    assert.equal((await core.refresh(client, two.refresh)).status, 400);
    for (const token of [body.access_token, three.token]) assert.equal(await userinfo(token), 200);
  });

  it('leaves the browser that allowed it alone, and is left alone by the next one', async () => {
    const one = await open();
    assert.deepEqual(await sessions(), []);
    const { body } = await core.authorize(undefined, core.requestOf(client, newPkce().asked));
    assert.deepEqual([body['Kind'], body['SessionTag']], ['Login', undefined]);
    const browser = await core.login(ann);
    assert.deepEqual(await grants(), [one.id]);
    assert.equal((await core.post('/account/ping', browser)).body.PingStatus, 1);
  });

  it('shares its slots with sessions of the tag', async () => {
    const session = await core.login(ann, { tag: 'tv' });
    const [one, two] = [await open(), await open()];
    assert.deepEqual([await sessions(), await grants()], [[], [one.id, two.id]]);
    assert.equal((await core.post('/account/ping', session)).body.PingStatus, 4);
    const { sessionId } = await core.login(ann, { tag: 'tv' });
    assert.deepEqual([await sessions(), await grants()], [[sessionId], [two.id]]);
  });

  it('never has more than these slots, however many begin at once', async () => {
    const codes = await Promise.all(Array.from({ length: 6 }, () => core.newCode(client, ann)));
    const answers = await atOnce(codes.length, (index) => core.token(client, codes[index] ?? {}));
    assert.deepEqual(statusesOf(answers), Array(6).fill(200));
    assert.equal((await grants()).length, 2);
  });
});

describe('a sign-in of its own with a SessionTag and SESSION_LIMIT=refuse', () => {
  const { core, client, ann, open, grants, sessions } = useTelevisions({ SESSION_LIMIT: 'refuse' });

  it('is refused while every slot is taken, and takes that of one unseen for long', async () => {
    const [one, two] = [await open(), await open()];
    const code = await core.newCode(client, ann);
    const refused = await core.token(client, code);
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant']);
    assert.deepEqual(await grants(), [one.id, two.id]);
    const sql = `update client_session set last_seen_at = now() - interval '16 minutes' where id = ?`;
    await core.sql(sql, [one.id]);
    const { body } = await core.token(client, code);
    assert.deepEqual(await grants(), [two.id, String(claimsIn(body.access_token)['sid'])]);
  });

  it('is shown to a login of the tag, which can take its slot', async () => {
    const [one, two] = [await open(), await open()];
    const asked = { Username: ann.email, Password: PASSWORD, SessionTag: 'tv' };
    const { body } = await core.http.post('/account/login').send(asked).expect(409);
    assert.deepEqual(fieldsOf(body.Active, 'DeviceName'), ['Television', 'Television']);
    await core.http.post('/account/login').send({ TakeOverToken: body.TakeOverToken }).expect(200);
    assert.deepEqual([(await sessions()).length, await grants()], [1, [two.id]]);
    assert.equal((await core.refresh(client, one.refresh)).status, 400);
  });
});
