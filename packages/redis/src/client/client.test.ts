import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { testAuthority, testLog } from '@gatehouse/runtime/testing';
import { openRedis, slotOf } from './redis-cluster.ts';

describe('settings of TLS to Redis', () => {
  const authority = testAuthority();

  // ioredis prefers the parameters of the URL to its options: `?tls=` alone would disable TLS.
  for (const [what, isCluster] of Object.entries({ 'one server': false, 'a cluster': true }))
    it(`refuses a URL of ${what} with its own parameters at startup`, () => {
      const options = ['commandTimeout=0', 'family=6&enableOfflineQueue=true'];
      for (const own of ['tls=', 'tls=RedisCloudFixed', ...options]) {
        const servers = isCluster ? 'rediss://localhost:1,rediss://localhost:2' : 'rediss://localhost:1/0';
        const wanted = { urls: `${servers}?${own}`, isCluster, ca: authority.pem, log: testLog() };
        assert.throws(() => openRedis(wanted), ConfigError, own);
      }
    });

  it('refuses several servers that are no cluster at startup', () => {
    const urls = 'redis://one:6379,redis://two:6379';
    assert.throws(() => openRedis({ urls, isCluster: false, log: testLog() }), /REDIS_CLUSTER/);
  });

  it('refuses a cluster with TLS for some nodes only at startup', () => {
    const urls = 'rediss://localhost:1,redis://localhost:2';
    assert.throws(() => openRedis({ urls, isCluster: true, ca: undefined, log: testLog() }), ConfigError);
  });

  it('refuses a certificate authority at startup if TLS is off', () => {
    const wanted = { urls: 'redis://localhost', isCluster: false, ca: authority.pem, log: testLog() };
    assert.throws(() => openRedis(wanted), ConfigError);
  });
});

describe('slotOf', () => {
  // The first is the check value of CRC-16/XMODEM, the others are results of CLUSTER KEYSLOT of Redis 7.0.
  for (const [tag, slot] of [
    ['123456789', 0x31c3],
    ['foo', 12_182],
    ['hello', 866],
    ['', 0],
    ['AZqlmh2udruI4bBvZ3-_Ww', 1856],
  ] as const)
    it(`finds the slot of "${tag}"`, () => assert.equal(slotOf(tag), slot));
});
