import assert from 'node:assert/strict';
import { PASSWORD, readAudit } from '@gatehouse/accounts/testing';
import { clientSessions } from '@gatehouse/db';
import { claimsIn, newPkce, useOAuth } from './testing.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

interface Grant {
  Id: string;
  Name: string;
  UserAgent: string | null;
}

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
    ((await core.get('/account/grant', { Token: token })).body as { Items: Grant[] }).Items;

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
