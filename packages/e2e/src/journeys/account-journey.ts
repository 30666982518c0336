import assert from 'node:assert/strict';
import { connectRedis } from '@gatehouse/session-cache';
import { eventually, testLog } from '@gatehouse/runtime/testing';
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
    assert.equal(
      (await post('/account/verify', { Email: email, Code: await mailedCode(email) })).status,
      200,
    );

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

  it('leaves one session after thirty concurrent logins', async () => {
    const email = await world.newAccount();
    const sets = await Promise.all(Array.from({ length: 30 }, () => world.login(email)));
    const states = await Promise.all(sets.map(({ Token }) => world.pingStatus(Token)));
    assert.equal(states.filter((state) => state === 1).length, 1);
    assert.equal(states.filter((state) => state === 4).length, 29);
    const answers = await Promise.all(
      sets.map(({ Token }) => world.call('GET', '/ping/auth', undefined, Token)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ body }) => body['code'] === 'session_replaced').length, 29);
  });

  it('returns one identical successor for a hundred concurrent refreshes', async () => {
    const { RefreshToken } = await world.login(await world.newAccount());
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => world.post('/account/refresh-token', { RefreshToken })),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ body }) => body['RefreshToken'])).size, 1);
  });

  it('neither ends nor revives sessions when Redis is flushed', async () => {
    const email = await world.newAccount();
    const [older, newer] = [await world.login(email), await world.login(email)];
    const { redisUrl, redisNodes = [redisUrl] } = world.stack.facts;
    for (const url of redisNodes) {
      const redis = connectRedis({ url, log: testLog() });
      await eventually(() => redis.status === 'ready');
      await redis.flushdb();
      redis.disconnect();
    }
    assert.deepEqual([await world.pingStatus(older.Token), await world.pingStatus(newer.Token)], [4, 1]);
  });

  it('reaches only the routes of the gateway', async () => {
    for (const path of ['/', '/metrics', '/health/live', '/admin/account', '/Account/login']) {
      const { status, body } = await world.call('GET', path);
      assert.deepEqual([status, body['code']], [404, 'not_found'], path);
    }
    assert.equal((await world.call('GET', '/.well-known/jwks.json')).status, 200);
    assert.equal((await world.call('GET', '/ping')).text, 'Pong');
  });

  it('cannot forge its client address', async () => {
    const response = await fetch(`${world.stack.facts.baseUrl}/ping?includeHeaders=true`, {
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    const headers = (await response.json()) as Record<string, string>;
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
  });
}
