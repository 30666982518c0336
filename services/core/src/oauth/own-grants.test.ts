import assert from 'node:assert/strict';
import { atOnce, PASSWORD, readAudit, statusesOf } from '@gatehouse/accounts/testing';
import { clientSessions, query } from '@gatehouse/db';
import { claimsIn, newPkce, useOAuth } from './testing.ts';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';

describe('a sign-in to an application with grants of its own', () => {
  const scopes = ['openid', 'email', 'offline_access', 'files.write'];
  const { core, client, ann } = useOAuth({ grants: 'own', scopes });

  const open = () => core.open(client, ann);
  const userinfo = async (token: string) => (await core.userinfo(token)).status;
  const refreshed = async (token: string) => (await core.refresh(client, token)).status;
  /** What its tokens still do: nothing, once it has ended. */
  const gives = async (tokens: { access_token: string; refresh_token: string }) => [
    await userinfo(tokens.access_token),
    await refreshed(tokens.refresh_token),
  ];
  const LIVES = [200, 200];
  const OVER = [401, 400];
  const later = () => new Promise((resolve) => setTimeout(resolve, 850));
  const listed = async (token: string) =>
    ((await core.get('/account/grant', { Token: token })).body as { Items: { Name: string }[] }).Items;

  it('lives on while its owner’s session is replaced ten times, and its id is its sid', async () => {
    let tokens = await open();
    const { sid, client_session: id } = claimsIn(tokens.access_token);
    assert.ok(id === sid && sid !== ann.sessionId);
    assert.equal(claimsIn(tokens.id_token)['sid'], sid);
    for (let time = 1; time <= 10; time += 1) {
      await core.login(ann);
      assert.equal(await userinfo(tokens.access_token), 200);
      tokens = (await core.refresh(client, tokens.refresh_token)).body;
      assert.equal(claimsIn(tokens.access_token)['sid'], sid);
    }
    const { entries } = await readAudit(core.app, { action: 'app.signed-in', actorId: ann.id });
    assert.deepEqual(entries[0]?.details['GrantId'], sid);
    const sql = `select event from outbox where event ->> 'type' = 'account.app-connected' and event -> 'data' ->> 'UserId' = ?`;
    const mailed = await core.sql<{ event: { data: object } }>(sql, [ann.id]);
    const fields = mailed.map(({ event }) => Object.keys(event.data).toSorted().join());
    assert.deepEqual(fields, ['ClientId,Mail,UserId']);
  });

  it('has refresh tokens without asking for them, if its application may, and says so', async () => {
    const { scope, refresh_token } = await core.open(client, ann, { scope: 'openid' });
    assert.deepEqual([scope, await refreshed(refresh_token)], ['openid offline_access', 200]);
    const brief = await core.newClient({ grants: 'own', scopes: ['openid'] });
    const once = await core.open(brief, ann, { scope: 'openid' });
    assert.deepEqual([once.scope, once.refresh_token], ['openid', undefined]);
  });

  it('is in its owner’s list, where one or all are ended at once', async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    const { Token } = await core.login(ann);
    const bob = await core.login(await core.newAccount());
    const id = String(claimsIn(one.access_token)['sid']);
    assert.deepEqual(fieldsOf(await listed(Token), 'Name'), Array(3).fill(client.name));
    assert.deepEqual(await listed(bob.Token), []);
    const end = (path: string, token: string) =>
      core.http.delete(`/account/grant${path}`).set(core.bearer(token));
    await end(`/${id}`, bob.Token).expect(404);
    await end('', bob.Token).expect(204);
    await end(`/${id}`, Token).expect(204);
    await later();
    assert.deepEqual([await gives(one), await gives(two)], [OVER, LIVES]);
    await end(`/${id}`, Token).expect(404);
    await end('', Token).expect(204);
    await later();
    assert.deepEqual([await gives(two), await gives(three), await listed(Token)], [OVER, OVER, []]);
  });

  for (const [what, change] of [
    ['was not used for long', `last_seen_at = now() - interval '31 days'`],
    ['has reached its own end', 'ends_at = now()'],
  ] as const)
    it(`is over when it ${what}, and is deleted`, async () => {
      const tokens = await open();
      await core.sql(`update client_session set ${change} where account_id = ?`, [ann.id]);
      await later();
      assert.deepEqual(await gives(tokens), OVER);
      assert.deepEqual(await listed((await core.login(ann)).Token), []);
      await clientSessions.deleteOver(core.app.db, { grantIdleSeconds: 2_592_000 });
      assert.deepEqual(await core.sql('select 1 from client_session where account_id = ?', [ann.id]), []);
    });

  it('is told to be over for as long as its tokens may live, also when new ones live shorter', async () => {
    const { sid, exp } = claimsIn((await open()).access_token);
    const { Token } = await core.login(ann);
    const shorter = `insert into session_event (session_id, account_id, status, reason, token_expires_at)
       values (gen_random_uuid(), ?, 4, 'logout', now() + interval '1 minute')`;
    await core.sql(shorter, [ann.id]);
    await core.http.delete('/account/grant').set(core.bearer(Token)).expect(204);
    const ended = `select token_expires_at >= to_timestamp(?) as "isEnough" from session_event where session_id = ?`;
    assert.deepEqual(await core.sql(ended, [Number(exp), String(sid)]), [{ isEnough: true }]);
  });

  it('lives as long as the client says at most', async () => {
    const shorter = await core.newClient({ grants: 'own', grantMaxSeconds: 60 });
    const { body } = await core.token(shorter, await core.newCode(shorter, ann));
    const { iat, exp } = claimsIn(body.access_token);
    assert.ok(Number(exp) - Number(iat) <= 60);
    assert.equal(await userinfo(body.access_token), 200);
  });

  it('that does more than recognise its owner asks for a fresh proof', async () => {
    const asked = (scope: string, fields: object = {}) =>
      core.authorize(ann, core.requestOf(client, { scope, ...newPkce().asked }), fields);
    const sql = `update user_session set authenticated_at = now() - interval '6 minutes' where id = ?`;
    await core.sql(sql, [ann.sessionId]);
    const { body } = await asked('openid files.write');
    assert.deepEqual([body['Kind'], body['Prompt']], ['Login', 'Confirm']);
    // Whoever has the cookie may say that it began long ago.
    assert.equal((await asked('openid files.write', { Since: 0 })).body['Prompt'], 'Confirm');
    const { body: plain } = await asked('openid email');
    assert.notEqual(plain['Prompt'], 'Confirm');
  });

  it('stays when its owner changes the password and says so', async () => {
    const tokens = await open();
    const given = { CurrentPassword: PASSWORD, Password: 'another correct horse', KeepApps: true };
    await core.post('/account/change-password', await core.login(ann), given).expect(200);
    await later();
    assert.deepEqual(await gives(tokens), LIVES);
  });
});

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
