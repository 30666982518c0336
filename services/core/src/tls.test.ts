import assert from 'node:assert/strict';
import { testDatabase, type TestDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';
import {
  eventually,
  testAuthority,
  testServers,
  openTlsProxy,
  type TlsProxy,
} from '@gatehouse/runtime/testing';

describe('Core with TLS to everything', function () {
  this.timeout(60_000);
  const authority = testAuthority();
  const proxies = {} as Record<'postgres' | 'redis' | 'rabbitmq', TlsProxy>;
  let database: TestDatabase;
  before(async () => {
    const { TEST_REDIS_URL, TEST_AMQP_URL } = testServers();
    const certificate = authority.issue('localhost');
    database = await testDatabase();
    proxies.postgres = await openTlsProxy(database.url, certificate, { asksFirst: true });
    proxies.redis = await openTlsProxy(TEST_REDIS_URL, certificate);
    proxies.rabbitmq = await openTlsProxy(TEST_AMQP_URL, certificate);
  });
  after(async () => {
    for (const door of Object.values(proxies)) await door.close();
    await database.drop();
  });

  const start = (ca: string) => {
    const { TEST_REDIS_URL, TEST_AMQP_URL } = testServers();
    const through = (url: string, protocol: string, door: TlsProxy): string => {
      const { username, password, pathname } = new URL(url);
      const login = username === '' && password === '' ? '' : `${username}:${password}@`;
      return `${protocol}//${login}localhost:${door.port}${pathname}`;
    };
    const postgres = through(database.urlAs('core'), 'postgres:', proxies.postgres);
    return startService('core', {
      DATABASE_URL: `${postgres}?sslmode=verify-full`,
      DATABASE_CA: ca,
      REDIS_URL: through(TEST_REDIS_URL, 'rediss:', proxies.redis),
      REDIS_CA: ca,
      AMQP_URL: through(TEST_AMQP_URL, 'amqps:', proxies.rabbitmq),
      AMQP_CA: ca,
    });
  };

  it('is never ready, and sends no password, with a different certificate authority', async () => {
    const core = await start(testAuthority().pem);
    try {
      await eventually(async () => {
        const { status, body } = await core.internal.get('/health/ready');
        return status === 503 && body.checks.postgres === false && body.checks.redis === false;
      });
      for (const door of Object.values(proxies)) assert.equal(door.heard(), '');
    } finally {
      assert.equal(await core.stop(), 0);
    }
  });

  it('is ready with the right certificate authority', async () => {
    const core = await start(authority.pem);
    try {
      await eventually(async () => (await core.internal.get('/health/ready')).status === 200, 20);
      await eventually(() => Object.values(proxies).every((door) => door.heard() !== ''));
    } finally {
      assert.equal(await core.stop(), 0);
    }
  });
});
