import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, type World } from '../testing/index.ts';

/** Tests the life of an account, with any stack behind the gateway. */
export function testAccountJourney(given: () => World): void {
  let world: World;
  before(() => {
    world = given();
  });

  it('registers, logs in, changes and resets its password, with real mails', async () => {
    const { post, call, login, pingStatus, mailedCode } = world;
    const email = world.someEmail();
    const registered = await post('/account/register', {
      Email: email,
      Password: PASSWORD,
      DisplayName: 'Ann',
    });
    const { LoginStatus, RegistrationToken } = registered.body;
    assert.deepEqual([registered.status, LoginStatus, typeof RegistrationToken], [200, 4, 'string']);
    const early = await post('/account/login', { Username: email, Password: PASSWORD });
    assert.deepEqual([early.status, early.body['LoginStatus']], [403, 4]);
    const verified = (await post('/account/verify', { Email: email, Code: await mailedCode(email) })).status;
    assert.equal(verified, 200);

    const first = await login(email);
    assert.equal(await pingStatus(first.Token), 1);
    const second = await login(email);
    assert.equal(await pingStatus(first.Token), 4);
    const refused = await call('GET', '/ping/auth', undefined, first.Token);
    assert.deepEqual([refused.status, refused.body['code']], [401, 'session_replaced']);
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer /);
    assert.equal((await call('GET', '/ping/auth', undefined, second.Token)).text, 'Pong Auth');

    const refreshed = await post('/account/refresh-token', { RefreshToken: second.RefreshToken });
    const third = refreshed.body as unknown as typeof second;
    assert.equal(await pingStatus(third.Token), 1);
    assert.equal((await post('/account/logout', {}, third.Token)).status, 200);
    assert.equal((await post('/account/ping', {}, third.Token)).body['code'], 'session_ended');

    const last = await login(email);
    assert.deepEqual((await post('/account/forgot-password', { Email: email })).body, {});
    const reset = { Email: email, Code: await mailedCode(email, 2), Password: 'a wholly new one' };
    assert.equal((await post('/account/reset-password', reset)).status, 200);
    assert.equal(await pingStatus(last.Token), 4);
    assert.equal((await post('/account/login', { Username: email, Password: PASSWORD })).status, 404);
    await login(email, 'a wholly new one');
    await eventually(async () => (await world.mailsTo(email)).length === 3);
  });
}
