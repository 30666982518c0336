import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import {
  eventually,
  testAuthority,
  testLog,
  testServers,
  tlsDoor,
  type TlsDoor,
} from '@gatehouse/runtime/testing';
import { openRedis } from './redis-cluster.ts';

describe('TLS to Redis', () => {
  const authority = testAuthority();
  const undo: (() => unknown)[] = [];
  after(async () => {
    for (const one of undo.toReversed()) await one();
  });

  const door = async (name: string): Promise<TlsDoor> => {
    const made = await tlsDoor(testServers().TEST_REDIS_URL, authority.issue(name));
    undo.push(() => made.close());
    return made;
  };
  const open = (port: number, ca: string | undefined) => {
    const log = testLog();
    const url = new URL(testServers().TEST_REDIS_URL);
    const login = url.password === '' ? '' : `:${url.password}@`;
    const redis = openRedis({ urls: `rediss://${login}localhost:${port}`, isCluster: false, ca, log });
    undo.push(() => redis.disconnect());
    return { ping: () => redis.ping(), said: () => JSON.stringify(log.lines) };
  };

  it('trusts the configured certificate authority', async () => {
    const { ping } = open((await door('localhost')).port, authority.pem);
    await eventually(() => ping().then(() => true));
  });

  for (const [what, name, ca, reason] of [
    ['another authority', 'localhost', testAuthority().pem, 'certificate'],
    ['an authority that nobody named', 'localhost', undefined, 'certificate'],
    ['another host', 'elsewhere.example', authority.pem, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const) {
    it(`tells no password to a server of ${what}, and says so`, async () => {
      const at = await door(name);
      const { ping, said } = open(at.port, ca);
      await eventually(() => said().includes(reason));
      await assert.rejects(ping());
      assert.equal(at.heard(), '');
    });
  }

  it('sends no password to a server without TLS', async () => {
    const { ping, said } = open(Number(new URL(testServers().TEST_REDIS_URL).port), authority.pem);
    await eventually(() => said().includes('redis connection error'));
    await assert.rejects(ping());
  });

  // The library takes options from the address, over those that it is given: `?tls=` alone would switch TLS off.
  for (const [what, isCluster] of [
    ['one server', false],
    ['a cluster', true],
  ] as const) {
    it(`refuses at start an address of ${what} with settings of its own`, () => {
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
