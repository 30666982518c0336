import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import {
  eventually,
  testAuthority,
  testLog,
  testServers,
  openTlsProxy,
  type TlsProxy,
} from '@gatehouse/runtime/testing';
import { openRedis } from './redis-cluster.ts';

describe('TLS to Redis', () => {
  const authority = testAuthority();
  const undo: (() => unknown)[] = [];
  after(async () => {
    for (const one of undo.toReversed()) await one();
  });

  const startProxy = async (name: string): Promise<TlsProxy> => {
    const proxy = await openTlsProxy(testServers().TEST_REDIS_URL, authority.issue(name));
    undo.push(() => proxy.close());
    return proxy;
  };
  const open = (port: number, ca: string | undefined) => {
    const log = testLog();
    const url = new URL(testServers().TEST_REDIS_URL);
    const login = url.password === '' ? '' : `:${url.password}@`;
    const redis = openRedis({ urls: `rediss://${login}localhost:${port}`, isCluster: false, ca, log });
    undo.push(() => redis.disconnect());
    return { ping: () => redis.ping(), logged: () => JSON.stringify(log.lines) };
  };

  it('trusts the configured certificate authority', async () => {
    const { ping } = open((await startProxy('localhost')).port, authority.pem);
    await eventually(() => ping().then(() => true));
  });

  for (const [what, name, ca, reason] of [
    ['another authority', 'localhost', testAuthority().pem, 'certificate'],
    ['an authority that nobody named', 'localhost', undefined, 'certificate'],
    ['another host', 'elsewhere.example', authority.pem, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const) {
    it(`sends no password to a server of ${what}, and logs why`, async () => {
      const at = await startProxy(name);
      const { ping, logged } = open(at.port, ca);
      await eventually(() => logged().includes(reason));
      await assert.rejects(ping());
      assert.equal(at.heard(), '');
    });
  }

  it('sends no password to a server without TLS', async () => {
    const { ping, logged } = open(Number(new URL(testServers().TEST_REDIS_URL).port), authority.pem);
    await eventually(() => logged().includes('redis connection error'));
    await assert.rejects(ping());
  });

  // ioredis prefers the parameters of the URL to its options: `?tls=` alone would disable TLS.
  for (const [what, isCluster] of [
    ['one server', false],
    ['a cluster', true],
  ] as const) {
    it(`refuses a URL of ${what} with its own parameters at startup`, () => {
      for (const own of [
        'tls=',
        'tls=RedisCloudFixed',
        'commandTimeout=0',
        'family=6&enableOfflineQueue=true',
      ]) {
        const wanted = {
          urls: `rediss://localhost:1,rediss://localhost:2?${own}`,
          isCluster,
          ca: authority.pem,
        };
        const urls = isCluster ? wanted.urls : `rediss://localhost:1/0?${own}`;
        assert.throws(() => openRedis({ ...wanted, urls, log: testLog() }), ConfigError, own);
      }
    });
  }

  it('refuses a cluster with TLS for some nodes only at startup', () => {
    const urls = 'rediss://localhost:1,redis://localhost:2';
    assert.throws(() => openRedis({ urls, isCluster: true, ca: undefined, log: testLog() }), ConfigError);
  });

  it('refuses a certificate authority at startup if TLS is off', () => {
    const wanted = { urls: 'redis://localhost', isCluster: false, ca: authority.pem, log: testLog() };
    assert.throws(() => openRedis(wanted), ConfigError);
  });
});
