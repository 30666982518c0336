import assert from 'node:assert/strict';
import { openTcpProxy, type TcpProxy } from '@gatehouse/events/testing';
import { eventually, testServers } from '@gatehouse/runtime/testing';
import { PASSWORD, startCore, type TestCore } from './testing/index.ts';

describe('Core while a dependency fails', function () {
  this.timeout(60_000);
  let sound: TestCore;
  let core: TestCore;
  const to = {} as Record<'postgres' | 'redis' | 'rabbitmq', TcpProxy>;
  before(async () => {
    sound = await startCore();
    const { TEST_REDIS_URL, TEST_AMQP_URL } = testServers();
    to.postgres = await openTcpProxy(sound.app.settings.DATABASE_URL);
    to.redis = await openTcpProxy(TEST_REDIS_URL);
    to.rabbitmq = await openTcpProxy(TEST_AMQP_URL);
    core = await startCore(
      { DATABASE_URL: to.postgres.url, REDIS_URL: to.redis.url, AMQP_URL: to.rabbitmq.url },
      sound,
    );
    await eventually(() => core.app.sessionCache.isConnected());
  });
  after(async () => {
    for (const proxy of Object.values(to)) proxy.heal();
    await core.stop();
    for (const proxy of Object.values(to)) await proxy.close();
    await sound.stop();
  });

  const timed = async <T extends { status: number }>(request: PromiseLike<T>) => {
    const begun = performance.now();
    const answer = await request;
    return { answer, milliseconds: performance.now() - begun };
  };
  /** Every public call, with a body that would change something. */
  const calls = (email: string, refreshToken: string): [string, object][] => [
    ['/account/register', { Email: `new.${email}`, Password: PASSWORD }],
    ['/account/verify', { Email: email, Code: '0000-0000' }],
    ['/account/login', { Username: email, Password: PASSWORD }],
    ['/account/refresh-token', { RefreshToken: refreshToken }],
    ['/account/forgot-password', { Email: email }],
    ['/account/reset-password', { Email: email, Code: '0000-0000', Password: PASSWORD }],
  ];

  for (const [fault, begin] of [
    ['frozen', () => to.postgres.freeze()],
    ['gone', () => to.postgres.cut({ refuse: true })],
  ] as const) {
    it(`responds with 503 within 5 s while Postgres is ${fault}, accepts pings, and recovers`, async () => {
      const email = await core.newAccount();
      const { Token, RefreshToken } = await core.login(email);
      assert.equal(await core.pingWith(Token), 1);
      begin();
      const pings = eventually(async () => {
        const { answer, milliseconds } = await timed(core.http.get('/ping'));
        return answer.status === 200 && milliseconds < 50;
      });
      for (const wave of [1, 2]) {
        const answers = await Promise.all(
          calls(email, RefreshToken).map(([path, body]) => timed(core.post(path, body))),
        );
        for (const { answer, milliseconds } of answers) {
          assert.equal(answer.status, 503, `${wave}: ${JSON.stringify(answer.body)}`);
          assert.ok(answer.headers['retry-after']);
          assert.ok(milliseconds < 5000, `${milliseconds} ms`);
        }
      }
      await pings;
      assert.equal(await core.pingWith(Token), 1);
      to.postgres.heal();
      await eventually(async () => {
        const { status } = await core.post('/account/refresh-token', { RefreshToken });
        return status === 200;
      });
      await eventually(async () => {
        const { status } = await core.post('/account/login', { Username: email, Password: PASSWORD });
        return status === 200;
      });
    });

    it(`counts no failure against an account while Postgres is ${fault}`, async () => {
      const email = await core.newAccount();
      begin();
      await Promise.all(
        Array.from({ length: 12 }, () =>
          core.post('/account/login', { Username: email, Password: PASSWORD }),
        ),
      );
      to.postgres.heal();
      await eventually(async () => {
        const { status } = await core.post('/account/login', { Username: email, Password: PASSWORD });
        assert.ok(status === 200 || status === 503, String(status));
        return status === 200;
      });
    });
  }

  it('serves everything while RabbitMQ is frozen or down, and sends the mails later', async () => {
    to.rabbitmq.freeze();
    const email = await core.newAccount();
    to.rabbitmq.cut({ refuse: true });
    const { Token } = await core.login(email);
    await core.post('/account/forgot-password', { Email: email }).expect(200);
    assert.equal(await core.pingWith(Token), 1);
    await eventually(async () => (await core.app.mailsTo(email)).length === 2);
    to.rabbitmq.heal();
  });

  it('serves everything while Redis is frozen, within 5 s, and logs nobody out', async () => {
    const email = await core.newAccount();
    const { Token, RefreshToken } = await core.login(email);
    to.redis.freeze();
    const answers = await Promise.all([
      timed(core.post('/account/refresh-token', { RefreshToken })),
      timed(core.post('/account/ping', {}, core.bearer(Token))),
      timed(core.http.get('/ping/auth').set(core.bearer(Token))),
      timed(core.post('/account/register', { Email: `redis.${email}`, Password: PASSWORD })),
    ]);
    for (const { answer, milliseconds } of answers) {
      assert.equal(answer.status, 200);
      assert.ok(milliseconds < 5000, `${milliseconds} ms`);
    }
    const { answer, milliseconds } = await timed(
      core.post('/account/login', { Username: email, Password: PASSWORD }),
    );
    assert.equal(answer.status, 200);
    assert.ok(milliseconds < 5000, `${milliseconds} ms`);
    assert.equal((await core.post('/account/ping', {}, core.bearer(Token))).body.PingStatus, 4);
    to.redis.heal();
  });
});
