import assert from 'node:assert/strict';
import { readAudit, someAddress } from '@gatehouse/accounts/testing';
import { useOAuth } from './testing.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

describe('the refresh token of a client', () => {
  const { core, client, ann } = useOAuth();

  const next = async (token: string) => (await core.refresh(client, token)).body.refresh_token;
  const errorOf = async (token: string, who = client, more: Record<string, string> = {}) =>
    (await core.refresh(who, token, more)).body.error;
  const age = (seconds: number) => {
    const sql = `update client_session
       set refresh_next_at = refresh_next_at - make_interval(secs => :seconds),
         refresh_overtaken_at = array(select at - make_interval(secs => :seconds) from unnest(refresh_overtaken_at) at)
       where session_id = :sessionId`;
    return core.sql(sql, { seconds, sessionId: ann.sessionId });
  };

  it('gives a hundred at once one and the same successor', async () => {
    const { refresh_token: first } = await core.open(client, ann);
    const answers = await Promise.all(Array.from({ length: 100 }, () => core.refresh(client, first)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1);
  });

  it('that was overtaken ends the client session, and no other', async () => {
    const { refresh_token: first } = await core.open(client, ann);
    const { refresh_token: tab } = await core.open(client, ann);
    const second = await next(first);
    const third = await next(second);
    assert.equal(await errorOf(first), undefined, 'within the grace period');
    await age(31);
    assert.equal(await errorOf(first), 'invalid_grant');
    assert.equal(await errorOf(third), 'invalid_grant');
    assert.equal(await errorOf(tab), undefined);
    const { entries } = await readAudit(core.app, { action: 'app.token-reused', actorId: ann.id });
    assert.deepEqual(fieldsOf(entries, 'targetId', 'details'), [[client.id, { SessionId: ann.sessionId }]]);
    assert.equal((await core.get('/ping/auth', await core.login(ann))).status, 200);
  });

  it('of one client is of no use to another, which ends nothing', async () => {
    const { refresh_token: token } = await core.open(client, ann);
    for (const other of [await core.newClient(), await core.newClient({ isPublic: true })]) {
      assert.equal(await errorOf(token, other), 'invalid_grant');
      // In the same turn as its owner's use, which waits for its batch.
      const read = core.app.clientRefreshTokens.read(token) ?? assert.fail();
      const use = { ...read, address: someAddress(), userAgent: undefined };
      const [own, foreign] = await Promise.all(
        [client, other].map(({ id }) => core.app.rotateClient({ ...use, clientId: id }, { dueAt: Infinity })),
      );
      assert.deepEqual([own?.accountId, foreign], [ann.id, undefined]);
    }
  });

  it('is no refresh token of a session, and the other way round', async () => {
    const { refresh_token: token } = await core.open(client, ann);
    const { RefreshToken } = await core.login(await core.newAccount());
    assert.equal((await core.post('/account/refresh-token', undefined, { RefreshToken: token })).status, 401);
    assert.equal(await errorOf(RefreshToken), 'invalid_grant');
    const wrong = token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A');
    assert.equal(await errorOf(wrong), 'invalid_grant');
    assert.equal(await errorOf('x'), 'invalid_grant');
  });

  it('narrows its scopes, and never widens them', async () => {
    const { refresh_token: token } = await core.open(client, ann);
    const { body } = await core.refresh(client, token, { scope: 'email' });
    assert.deepEqual([body.scope, body.id_token], ['email', undefined]);
    assert.equal(await errorOf(token, client, { scope: 'openid profile' }), 'invalid_scope');
    assert.equal(await errorOf(token, client, { resource: 'https://api.example' }), 'invalid_target');
    assert.equal((await core.refresh(client, token)).body.scope, 'openid email offline_access');
  });

  it('ignores a scope that the client does not have, as the sign-in did', async () => {
    const modest = await core.newClient({ scopes: ['openid', 'offline_access'] });
    const scope = 'openid  groups phone offline_access ';
    const { refresh_token: token } = await core.open(modest, ann, { scope });
    assert.equal((await core.refresh(modest, token, { scope })).body.scope, 'openid offline_access');
    assert.equal(await errorOf(token, modest, { scope: 'groups' }), 'invalid_scope');
    await core.sql(`update oauth_client set scopes = '{openid}' where id = ?`, [modest.id]);
    assert.equal(await errorOf(token, modest), 'invalid_grant');
  });

  it('gets tokens as long as the session was seen, also if only Redis knows', async () => {
    const { refresh_token: token } = await core.open(client, ann);
    const set = (seen: string) =>
      core.sql(`update user_session set last_seen_at = ${seen} where id = ?`, [ann.sessionId]);
    await set(`now() - interval '3 hours'`);
    assert.equal(await errorOf(token), undefined);
    const sql = `select last_seen_at > now() - interval '1 hour' as "isFresh" from user_session where id = ?`;
    const [row] = await core.sql<{ isFresh: boolean }>(sql, [ann.sessionId]);
    assert.deepEqual(row, { isFresh: true });
  });
});
