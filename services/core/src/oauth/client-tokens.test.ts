import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { endings, eventually } from '@gatehouse/runtime/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { basicOf, startOAuthCore, useOAuth } from './testing.ts';

const ALL_SCOPES = 'openid profile email groups offline_access';

describe('tokens of applications', () => {
  const { core, client } = useOAuth();
  const atEnd = endings();

  const send = (path: string, by: { id: string; secret: string }, form: Record<string, string>) =>
    core.http.post(path).set(basicOf(by)).type('form').send(form);
  const introspect = async (token: string, by: { id: string; secret: string } = client) => {
    const answer = await send('/oauth/introspect', by, { token }).expect(200);
    return answer.body as Record<string, unknown> & { active: boolean };
  };
  const signedIn = async (by = client, more: Record<string, string> = {}) => {
    const who = await core.signIn();
    return { who, ...(await core.open(by, who, { scope: ALL_SCOPES, ...more })) };
  };

  describe('at userinfo', () => {
    it('give what their scopes say, and nothing more', async () => {
      const { who, access_token: token } = await signedIn();
      const [username] = who.email.split('@');
      const profile = { name: who.email, preferred_username: username, locale: 'en' };
      const all = { sub: who.id, email: who.email, email_verified: true, ...profile, groups: ['staff'] };
      await core.sql(`update account set groups = '{staff}' where id = ?`, [who.id]);
      const inHeader = await core.userinfo(token).expect(200, all);
      assert.equal(inHeader.headers['cache-control'], 'no-store');
      assert.equal(inHeader.headers['access-control-allow-origin'], '*');
      const { who: bob, access_token: narrow } = await signedIn(client, { scope: 'openid' });
      await core.userinfo(narrow).expect(200, { sub: bob.id });
    });

    it('are refused without `openid`, for another API, of a machine, twice, in the query, or missing', async () => {
      const resource = 'https://api.example';
      const grantTypes = ['authorization_code', 'client_credentials'] as const;
      const wide = await core.newClient({ resources: [resource], grantTypes: [...grantTypes] });
      const withoutOpenid = await signedIn(wide, { scope: 'email' });
      const ofApi = await signedIn(wide, { resource });
      const ofMachine = await core.token(wide, { grant_type: 'client_credentials' });
      for (const { access_token } of [withoutOpenid, ofApi, ofMachine.body]) {
        const { body, headers } = await core.userinfo(access_token).expect(403);
        assert.equal(body.error, 'insufficient_scope');
        assert.match(String(headers['www-authenticate']), /^Bearer .*error="insufficient_scope"/);
      }
      const { access_token: token } = await signedIn();
      const twice = core.http.post('/oauth/userinfo').set(core.bearer(token)).type('form');
      assert.equal((await twice.send({ access_token: token }).expect(400)).body.error, 'invalid_request');
      await core.http.get(`/oauth/userinfo?access_token=${token}`).expect(400);
      const { headers } = await core.http.get('/oauth/userinfo').expect(401);
      assert.equal(headers['www-authenticate'], 'Bearer realm="gatehouse"');
    });
  });

  describe('at introspection', () => {
    it('are active for the client that has them, and for the API that they are for', async () => {
      const resource = 'https://films.example';
      const api = await core.newClient({ resources: [resource], grantTypes: [] });
      const app = await core.newClient({ resources: [resource] });
      const { who, access_token: token } = await signedIn(app, { resource });
      const { iat, exp, ...state } = await introspect(token, api);
      assert.equal(Number(exp) - Number(iat), core.app.settings.ACCESS_TOKEN_SECONDS);
      assert.deepEqual(state, {
        active: true,
        iss: core.app.settings.ISSUER,
        aud: resource,
        sub: who.id,
        client_id: app.id,
        scope: ALL_SCOPES,
        sid: who.sessionId,
        token_type: 'Bearer',
      });
      assert.equal((await introspect(token, app)).active, true);
    });

    it('are inactive for every other client, however genuine', async () => {
      const { access_token: token } = await signedIn();
      const other = await core.newClient({ resources: ['https://films.example'] });
      assert.deepEqual(await introspect(token, other), { active: false });
      assert.equal((await introspect(token)).active, true);
    });

    it('are not told to anybody who does not authenticate', async () => {
      const { access_token: token } = await signedIn();
      const pub = await core.newClient({ isPublic: true });
      const wrong = { id: client.id, secret: `${client.secret}x` };
      for (const by of [wrong, { id: randomUUID(), secret: client.secret }, { id: pub.id, secret: '' }]) {
        const { body, headers } = await send('/oauth/introspect', by, { token }).expect(401);
        assert.equal(body.error, 'invalid_client');
        assert.match(String(headers['www-authenticate']), /^Basic /);
      }
      const named = core.http.post('/oauth/introspect').type('form').send({ token, client_id: pub.id });
      assert.equal((await named.expect(401)).body.error, 'invalid_client');
    });

    it('of a machine are active until a second after its client may have them no more', async () => {
      const machine = await core.newClient({ grantTypes: ['client_credentials'] });
      const { access_token: token } = (await core.token(machine, { grant_type: 'client_credentials' })).body;
      const { active, sub, sid } = await introspect(token, machine);
      assert.deepEqual([active, sub, sid], [true, machine.id, undefined]);
      const { body } = await send('/oauth/revoke', machine, { token }).expect(400);
      assert.equal(body.error, 'unsupported_token_type');
      await core.sql(`update oauth_client set grant_types = '{refresh_token}' where id = ?`, [machine.id]);
      await pause(1_000);
      assert.deepEqual(await introspect(token, machine), { active: false });
    });
  });

  // Ends of sessions and sign-ins are tried one by one in packages/e2e/src/oauth/ends.
  describe('stop working everywhere within a second', () => {
    it('when the client may sign nobody in any more', async () => {
      const resource = 'https://logs.example';
      const newClient = () => core.newClient({ resources: [resource] });
      const [by, api] = [await newClient(), await newClient()];
      const { who, access_token: token, refresh_token: refreshToken } = await signedIn(by);
      const { access_token: ofApi } = await core.open(by, who, { scope: ALL_SCOPES, resource });
      await core.userinfo(token).expect(200);
      assert.equal((await introspect(ofApi, api)).active, true);
      await core.sql(`update oauth_client set grant_types = '{}' where id = ?`, [by.id]);
      await pause(1_000);
      assert.equal((await core.userinfo(token).expect(401)).body.error, 'invalid_token');
      assert.deepEqual(await introspect(ofApi, api), { active: false });
      assert.equal((await core.refresh(by, refreshToken)).body.error, 'unauthorized_client');
    });

    it('when the session was idle for too long, and then userinfo does not revive it', async () => {
      const quick = await startOAuthCore({ SESSION_IDLE_SECONDS: 1 }, core);
      atEnd(quick.stop);
      const { access_token: token } = await quick.open(client, await quick.signIn());
      await eventually(async () => (await quick.userinfo(token)).status === 401, 10);
    });
  });

  describe('that the application revokes', () => {
    for (const kind of ['refresh_token', 'access_token'] as const)
      it(`end by the ${kind}, with all tokens of that sign-in, and the session stays`, async () => {
        const who = await core.signIn();
        const first = await core.open(client, who, { scope: ALL_SCOPES });
        const other = await core.open(client, who, { scope: ALL_SCOPES });
        await send('/oauth/revoke', client, { token: first[kind] }).expect(200, {});
        await core.userinfo(first.access_token).expect(401);
        assert.equal((await core.refresh(client, first.refresh_token)).body.error, 'invalid_grant');
        await core.userinfo(other.access_token).expect(200);
        await send('/oauth/revoke', client, { token: first[kind] }).expect(200, {});
      });

    it('are ended by nobody else, and the answer does not say that they exist', async () => {
      const other = await core.newClient();
      const { access_token: token, refresh_token: refreshToken } = await signedIn();
      for (const one of [token, refreshToken, 'x', `${token}x`, refreshToken.slice(1)])
        await send('/oauth/revoke', other, { token: one }).expect(200, {});
      await core.userinfo(token).expect(200);
      await send('/oauth/revoke', { ...client, secret: 'wrong' }, { token }).expect(401);
      await core.userinfo(token).expect(200);
    });

    it('can be those of a public client', async () => {
      const pub = await core.newClient({ isPublic: true });
      const { access_token: token } = await signedIn(pub);
      await core.http.post('/oauth/revoke').type('form').send({ token, client_id: pub.id }).expect(200);
      await core.userinfo(token).expect(401);
    });
  });

  it('have the signature that their application asked for', async () => {
    for (const alg of ['RS256', 'ES256'] as const) {
      const { id_token: token } = await signedIn(await core.newClient({ idTokenAlg: alg }));
      const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
      assert.equal((JSON.parse(header) as { alg: string }).alg, alg);
    }
  });
});
