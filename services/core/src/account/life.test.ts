import assert from 'node:assert/strict';
import { codeIn } from '@gatehouse/accounts/testing';
import { PASSWORD, startCore, type TestCore } from '../testing/index.ts';

describe('the life of an account', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  it('registers, verifies, logs in, keeps alive, is replaced, refreshes, logs out, forgets and resets', async () => {
    const { post, bearer, app, pingWith } = core;
    const email = 'ann@example.com';
    const registration = { Email: email, Password: PASSWORD, DisplayName: 'Ann' };
    const registered = await post('/account/register', registration).expect(200);
    assert.equal(registered.body.LoginStatus, 4);
    const refused = await post('/account/login', { Username: email, Password: PASSWORD }).expect(403);
    assert.equal(refused.body.LoginStatus, 4);
    await post('/account/verify', { Email: email, Code: codeIn(await app.mailsTo(email)) }).expect(200, {});

    const first = await core.login(email);
    assert.equal(first.ExpirationSeconds, 3600);
    assert.equal(await pingWith(first.Token), 1);
    const second = await core.login(email.toUpperCase());
    assert.equal(await pingWith(first.Token), 4);
    const replaced = await core.http.get('/ping/auth').set(bearer(first.Token)).expect(401);
    assert.equal(replaced.body.code, 'session_replaced');
    await core.http.get('/ping/auth').set(bearer(second.Token)).expect(200, 'Pong Auth');

    const third = (await post('/account/refresh-token', { RefreshToken: second.RefreshToken }).expect(200))
      .body;
    assert.equal(await pingWith(third.Token), 1);
    await post('/account/logout', {}, bearer(third.Token)).expect(200, {});
    assert.equal(
      (await post('/account/ping', {}, bearer(third.Token)).expect(401)).body.code,
      'session_ended',
    );
    const ended = await post('/account/refresh-token', { RefreshToken: third.RefreshToken }).expect(401);
    assert.equal(ended.body.code, 'session_ended');

    const last = await core.login(email);
    const code = await core.forget(email);
    const reset = { Email: email, Code: code.toLowerCase().replace('-', ' '), Password: 'a wholly new one' };
    await post('/account/reset-password', reset).expect(200, {});
    assert.equal(await pingWith(last.Token), 4);
    await post('/account/login', { Username: email, Password: PASSWORD }).expect(404);
    await core.login(email, 'a wholly new one');
  });
});
