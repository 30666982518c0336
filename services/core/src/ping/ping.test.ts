import assert from 'node:assert/strict';
import { TEST_PASSKEY_SITE } from '@gatehouse/accounts/testing';
import { during, startCore } from '../testing/index.ts';
import { cast } from '../testing/cast.ts';

const ECHO = '/ping?includeHeaders=true';

describe('GET /ping, /ping/auth and /.well-known/jwks.json', () => {
  const core = during(() => startCore());

  it('responds with Pong as text', async () => {
    const answer = await core.http.get('/ping').expect(200, 'Pong');
    assert.match(answer.headers['content-type'] ?? '', /^text\/plain/);
    await core.http.get('/ping?includeHeaders=false').expect(200, 'Pong');
  });

  it('returns the received headers, secrets redacted', async () => {
    const headers = {
      authorization: 'Bearer canary',
      cookie: 'a=canary',
      'proxy-authorization': 'canary',
      'x-api-key': 'canary',
      'x-my-token': 'canary',
      'client-secret': 'canary',
      'x-password-hint': 'canary',
    };
    const answer = await core.http
      .get('/ping?includeHeaders=true')
      .set(headers)
      .set('x-plain', 'seen')
      .expect(200);
    assert.equal(answer.body['x-plain'], 'seen');
    for (const name of Object.keys(headers)) assert.equal(answer.body[name], '[redacted]');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  it('returns the caller for a gateway', async () => {
    const { Token } = await core.login(await core.newAccount());
    const { headers } = await core.http.get('/ping/auth').set(core.bearer(Token)).expect(200, 'Pong Auth');
    assert.match(headers['x-auth-account'] ?? '', /^[0-9a-f-]{36}$/);
    assert.match(headers['x-auth-session'] ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(headers['x-auth-role'], 'User');
  });

  it('refuses callers without the role that a gateway requires', async () => {
    const { Token } = await core.login(await core.newAccount());
    const check = (parameters: string) => core.http.get(`/ping/auth?${parameters}`).set(core.bearer(Token));
    for (const parameters of ['role=User', 'role=Admin&role=User', 'other=1&role=User']) {
      await check(parameters).expect(200);
    }
    for (const parameters of [
      'role=Admin',
      'role=Admin&role=Service',
      'role=',
      'role=user',
      'role=Admin,User',
    ]) {
      const { headers, body } = await check(parameters).expect(403);
      assert.deepEqual([headers['x-auth-error'], body.code], ['forbidden', 'forbidden']);
      assert.equal(headers['x-auth-account'], undefined);
    }
  });

  it('takes the role from the session, so that a demotion applies to existing tokens', async () => {
    const email = await core.newAccount();
    const { app } = core;
    const { Token } = await core.login(email);
    await app.db.raw("update account set role = 'Admin' where email = ?", [email]);
    await app.db.raw('update user_session set version = version + 1');
    await app.db.raw('insert into live_session_outbox (session_id) select id from user_session');
    await app.sessionCache.catchUp();
    const { headers } = await core.http.get('/ping/auth').set(core.bearer(Token)).expect(200);
    assert.equal(headers['x-auth-role'], 'Admin');
  });

  it('publishes only the public halves of the signing keys', async () => {
    const { body, headers } = await core.http.get('/.well-known/jwks.json').expect(200);
    assert.deepEqual(
      body.keys.map((key: object) => Object.keys(key).toSorted().join()).toSorted(),
      ['alg,apps_until,crv,kid,kty,use,x,y', 'alg,crv,kid,kty,use,x,y', 'alg,e,kid,kty,n,use'].toSorted(),
    );
    assert.equal(headers['cache-control'], 'public, max-age=30');
  });
});

describe('PING_HEADERS', () => {
  const { another, member } = cast();

  it('as bearer, echoes headers only for callers with a token', async () => {
    const core = await another({}, { pingHeaders: 'bearer' });
    await core.http.get('/ping').expect(200, 'Pong');
    const nobody = await core.http.get(ECHO).set('x-plain', 'seen').expect(401);
    assert.equal(nobody.body.code, 'token_missing');
    assert.ok(!nobody.text.includes('seen'));
    const { Token } = await (await member()).session();
    const answer = await core.http.get(ECHO).set(core.bearer(Token)).set('x-plain', 'seen').expect(200);
    assert.equal(answer.body['x-plain'], 'seen');
    await core.post('/account/logout', {}, core.bearer(Token)).expect(200);
    assert.equal((await core.http.get(ECHO).set(core.bearer(Token)).expect(401)).body.code, 'session_ended');
  });

  it('as off, echoes no headers', async () => {
    const core = await another({}, { pingHeaders: 'off' });
    await core.http.get('/ping').expect(200, 'Pong');
    const { Token } = await (await member()).session();
    for (const headers of [{}, core.bearer(Token)]) {
      assert.equal((await core.http.get(ECHO).set(headers).expect(403)).body.code, 'forbidden');
    }
  });
});

describe('GET /.well-known/webauthn', () => {
  const core = during(() => startCore());

  it('names the origins that share passkeys, as JSON that browsers read', async () => {
    const answer = await core.http.get('/.well-known/webauthn').expect(200);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    assert.deepEqual(answer.body, { origins: TEST_PASSKEY_SITE.origins });
  });
});
