import assert from 'node:assert/strict';
import { assertAudited, readAudit, REDIRECT_URI } from '@gatehouse/accounts/testing';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { basicOf, claimsIn, newPkce, type TestClient, useOAuth } from './testing.ts';

describe('POST /oauth/token', () => {
  const { core, client, ann } = useOAuth();

  const clientSessions = async (): Promise<number> =>
    (await core.sql('select 1 from client_session where session_id = ?', [ann.sessionId])).length;

  describe('with a code', () => {
    it('answers once with an access token, an ID token and a refresh token', async () => {
      const code = await core.newCode(client, ann, { nonce: 'n-1' });
      const { status, body, headers } = await core.token(client, code);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(headers['cache-control'], 'no-store');
      const { access_token, id_token, refresh_token, ...rest } = body;
      const scope = 'openid email offline_access';
      const expires_in = core.app.settings.ACCESS_TOKEN_SECONDS;
      assert.deepEqual(rest, { token_type: 'Bearer', expires_in, scope });
      const facts = { aud: client.id, sub: ann.id, sid: ann.sessionId };
      const access = claimsIn(access_token);
      assert.deepEqual({ ...access, ...facts, client_id: client.id, scope }, access);
      assert.equal('role' in access, false);
      const identity = claimsIn(id_token);
      assert.deepEqual({ ...identity, ...facts, nonce: 'n-1', email: ann.email, amr: ['pwd'] }, identity);
      assert.match(refresh_token, /^[\w-]{86}$/);
    });

    it('gives no more than was asked for', async () => {
      const body = await core.open(client, ann, { scope: 'email' });
      assert.deepEqual([body.scope, body.id_token, body.refresh_token], ['email', undefined, undefined]);
    });

    it('issues a token for the resource that was asked for', async () => {
      const resource = 'https://api.example';
      const wide = await core.newClient({ resources: [resource, 'https://other.example'] });
      const asked = { ...(await core.newCode(wide, ann, { resource })) };
      const { body } = await core.token(wide, { ...asked, resource: 'https://other.example' });
      assert.equal(body.error, 'invalid_target');
      assert.equal(claimsIn((await core.token(wide, asked)).body.access_token)['aud'], resource);
    });

    it('refuses a code with anything that is not its own, and keeps it', async () => {
      const other = await core.newClient();
      const code = await core.newCode(client, ann);
      for (const [who, changes] of [
        [other, {}],
        [client, { redirect_uri: 'https://app.example/other' }],
        [client, { redirect_uri: '' }],
        [client, { code_verifier: newPkce().verifier }],
        [client, { code_verifier: code.code_verifier.slice(1) }],
        [client, { code_verifier: '' }],
        [client, { code: 'x'.repeat(43) }],
      ] as const) {
        const { status, body } = await core.token(who, { ...code, ...changes });
        assert.deepEqual([status, body.error], [400, 'invalid_grant'], JSON.stringify(changes));
      }
      const { code_verifier: _, ...withoutVerifier } = code;
      assert.equal((await core.token(client, withoutVerifier)).body.error, 'invalid_grant');
      const { redirect_uri: __, ...withoutRedirect } = code;
      assert.equal((await core.token(client, withoutRedirect)).body.error, 'invalid_grant');
      assert.equal((await core.token(client, code)).status, 200);
    });

    it('refuses a verifier for a code whose challenge was taken out of the request', async () => {
      const old = await core.newClient({ requiresPkce: false });
      const { back } = await core.authorize(ann, core.requestOf(old, { nonce: 'n' }));
      const given = { code: back?.get('code') ?? '', redirect_uri: REDIRECT_URI };
      const code = { grant_type: 'authorization_code', ...given };
      const verified = await core.token(old, { ...code, code_verifier: newPkce().verifier });
      assert.equal(verified.body.error, 'invalid_grant');
      assert.equal((await core.token(old, code)).status, 200);
    });

    it('gives one token set to a hundred at once, and ends it, because the code is in two hands', async () => {
      const code = await core.newCode(client, ann);
      const before = await clientSessions();
      const answers = await Promise.all(Array.from({ length: 100 }, () => core.token(client, code)));
      const given = answers.filter(({ status }) => status === 200);
      assert.equal(given.length, 1);
      assert.ok(answers.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'));
      assert.equal(await clientSessions(), before);
      const { entries } = await readAudit(core.app, { action: 'app.token-reused', targetId: client.id });
      assert.deepEqual(fieldsOf(entries, 'actorId', 'details'), [[ann.id, { SessionId: ann.sessionId }]]);
      const [{ body } = assert.fail()] = given;
      assert.equal((await core.refresh(client, body.refresh_token)).body.error, 'invalid_grant');
    });

    it('keeps what a code opened when somebody else shows the code', async () => {
      const code = await core.newCode(client, ann);
      const { refresh_token: first } = (await core.token(client, code)).body;
      await core.token(await core.newClient(), code);
      await core.token(client, { ...code, code_verifier: newPkce().verifier });
      assert.equal((await core.refresh(client, first)).status, 200);
    });

    it('refuses a code that has expired', async () => {
      const own = await core.newClient();
      const code = await core.newCode(own, ann);
      await core.sql('update oauth_code set expires_at = now() where client_id = ?', [own.id]);
      assert.equal((await core.token(own, code)).body.error, 'invalid_grant');
    });

    it('records the sign-in', async () => {
      const own = await core.newClient();
      const code = await core.newCode(own, ann);
      const call = () => core.sendToken(own, code);
      const details = { SessionId: ann.sessionId, Scopes: ['openid', 'email', 'offline_access'] };
      const entry = { actorId: ann.id, targetKind: 'OauthClient', targetId: own.id, details } as const;
      await assertAudited(core.app, 'app.signed-in', { call, entry, secrets: [code.code, own.secret] });
    });
  });

  describe('authenticates', () => {
    const own = async (who: TestClient | undefined, form: object, headers: Record<string, string> = {}) => {
      const code = await core.newCode(client, ann);
      const { status, body, headers: answered } = await core.sendToken(who, { ...code, ...form }, headers);
      return [status, (body as { error?: string }).error, answered['www-authenticate']] as const;
    };
    const REFUSED = [401, 'invalid_client', 'Basic realm="gatehouse"'] as const;
    const basic = (id: string, secret: string) => basicOf({ id, secret });

    it('a confidential client by its secret, in the header or in the form', async () => {
      const { id: client_id, secret: client_secret } = client;
      const { authorization } = basic(client_id, client_secret);
      for (const [who, form, headers] of [
        [client, {}],
        [undefined, { client_id, client_secret }],
        [client, { client_id }],
        [undefined, {}, { authorization: authorization.replace('Basic ', 'basic  ') }],
        [client, { client_secret: '' }],
      ] as const)
        assert.equal((await own(who, form, headers))[0], 200);
      for (const [form, headers] of [
        [{ client_id }],
        [{}],
        [{ client_id, client_secret: `${client_secret}x` }],
        [{}, basic(client_id, '')],
        [{}, basic(`${client_id}x`, client_secret)],
        [{}, { authorization: 'Basic x' }],
        [{}, { authorization: `Bearer ${client_secret}` }],
      ] as const)
        assert.deepEqual(await own(undefined, form, headers), REFUSED);
      for (const twice of [{ client_secret }, { client_id: ann.id }])
        assert.deepEqual((await own(client, twice)).slice(0, 2), [400, 'invalid_request']);
    });

    it('a confidential client by a declared secret with signs that a form encodes, encoded or as it is', async () => {
      for (const secret of ['abc+def/ghi%41jkl=mnopqrstuvwxyz01', '50%off+sale/9xk2LmQ8vT4rZ1bW7nC3sD6']) {
        const { id } = await core.newClient();
        const hash = core.app.clientSecrets.hash(secret);
        await core.sql('update oauth_client set secret_hash = ? where id = ?', [hash, id]);
        const encoded = new URLSearchParams({ secret }).toString().slice('secret='.length);
        for (const shown of [secret, encoded])
          assert.equal((await own(undefined, {}, basic(id, shown)))[1], 'invalid_grant', shown);
        assert.equal((await own(undefined, { client_id: id, client_secret: secret }))[1], 'invalid_grant');
        assert.deepEqual(await own(undefined, {}, basic(id, `${secret}x`)), REFUSED);
        assert.deepEqual(await own(undefined, { client_id: id, client_secret: encoded }), REFUSED);
      }
    });

    it('a public client by its id alone, for a code that it can prove to be its own', async () => {
      const app = await core.newClient({ isPublic: true });
      assert.equal((await core.token(app, await core.newCode(app, ann))).status, 200);
      const code = await core.newCode(app, ann);
      const shown = { ...code, client_id: app.id, client_secret: 'x' };
      assert.equal((await core.token(undefined, shown)).body.error, 'invalid_client');
      assert.equal((await core.token(undefined, { ...shown, client_secret: '' })).status, 200);
    });

    it('and logs a failure with the client that it was for, if there is one', async () => {
      for (const [path, id, logged] of [
        ['token', client.id, client.id],
        ['revoke', client.id, client.id],
        ['introspect', client.id, client.id],
        ['token', ann.id, undefined],
        ['token', 'a name of my choice', undefined],
      ] as const) {
        const form = { grant_type: 'refresh_token', token: 'x' };
        const asked = core.http.post(`/oauth/${path}`).set(basic(id, 'guess')).type('form').send(form);
        const trace = (await asked.expect(401)).headers['x-trace-id'];
        const line = await eventually(() => core.app.lines.find(({ traceId }) => traceId === trace));
        assert.deepEqual([line['problem'], line['clientId']], ['invalid_client', logged], path);
      }
    });

    it('and makes whoever guesses secrets wait, but nobody who has one', async () => {
      const headers = { 'x-forwarded-for': '3fff:1:2:3::9' };
      let status = 401;
      for (let tries = 0; status === 401 && tries < 200; tries += 1) {
        const guess = { ...headers, ...basic(client.id, 'guess') };
        ({ status } = await core.sendToken(undefined, { grant_type: 'refresh_token' }, guess));
      }
      assert.equal(status, 429);
      assert.equal((await own(client, {}, headers))[0], 200);
    });
  });

  it('refuses other grants, and those that a client does not have', async () => {
    for (const [grant_type, error] of [
      ['password', 'unsupported_grant_type'],
      ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'unsupported_grant_type'],
      ['client_credentials', 'unauthorized_client'],
      ['refresh_token', 'invalid_request'],
      ['authorization_code', 'invalid_request'],
    ] as const) {
      const { status, body } = await core.token(client, { grant_type });
      assert.deepEqual([status, body.error], [400, error], grant_type);
    }
  });

  it('gives a machine a token of its own, without a person or a session', async () => {
    const resource = 'https://api.example';
    const own = ['orders.read', 'https://orders.example/write', "<b>'all'</b>"];
    const fields = { scopes: ['openid', ...own], resources: [resource] };
    const machine = await core.newClient({ grantTypes: ['client_credentials'], ...fields });
    const ask = (more: Record<string, string> = {}) =>
      core.token(machine, { grant_type: 'client_credentials', ...more });
    const { body } = await ask({ resource });
    const { sub, aud, sid, scope } = claimsIn(body.access_token) as Record<string, string | undefined>;
    assert.deepEqual([sub, aud, sid, scope], [machine.id, resource, undefined, own.join(' ')]);
    assert.deepEqual([body.refresh_token, body.id_token], [undefined, undefined]);
    for (const one of own) assert.equal((await ask({ scope: one })).body.scope, one);
    for (const other of ['openid', 'orders.delete', 'Orders.read', 'orders.read openid'])
      assert.equal((await ask({ scope: other })).body.error, 'invalid_scope', other);
    assert.equal((await ask({ resource: 'https://other.example' })).body.error, 'invalid_target');
  });
});
