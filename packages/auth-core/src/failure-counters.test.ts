import assert from 'node:assert/strict';
import { eventually, testLog, testServers } from '@gatehouse/runtime/testing';
import { createFailureCounters } from './failure-counters.ts';
import { openRedis } from './redis-cluster.ts';

describe('createFailureCounters', () => {
  const counters = (urls: string) => {
    const log = testLog();
    const redis = openRedis({ urls, isCluster: false, log });
    let local = 0;
    const failures = createFailureCounters({
      name: 'test',
      redis,
      failuresMax: 8,
      windowSeconds: 60,
      log,
      onLocal: () => (local += 1),
    });
    return { redis, failures, log, counted: () => local };
  };
  const some = () => `198.51.100.${Math.random()}`;

  it('counts in Redis, whichever process asks, and says nothing of it', async () => {
    const [one, two] = [counters(testServers().TEST_REDIS_URL), counters(testServers().TEST_REDIS_URL)];
    try {
      for (const { redis } of [one, two]) await eventually(() => redis.ping().then(() => true));
      const address = some();
      const admissions = [];
      for (let turn = 0; turn < 12; turn++) {
        admissions.push(await (turn % 2 === 0 ? one : two).failures.admit(address));
      }
      assert.equal(admissions.filter(({ admitted }) => admitted).length, 8);
      assert.deepEqual([one.counted(), two.counted()], [0, 0]);
    } finally {
      one.redis.disconnect();
      two.redis.disconnect();
    }
  });

  it('counts a quarter of the bound in the process without Redis, warns once and tells of each attempt', async () => {
    const { redis, failures, log, counted } = counters('redis://127.0.0.1:9');
    try {
      const address = some();
      const admissions = [];
      for (let turn = 0; turn < 6; turn++) admissions.push(await failures.admit(address));
      assert.deepEqual(
        admissions.map(({ admitted }) => admitted),
        [true, true, false, false, false, false],
      );
      await failures.settle(address, false);
      assert.equal((await failures.admit(address)).admitted, true);
      assert.equal(counted(), 7);
      const warnings = await eventually(() => {
        const found = log.lines.filter(({ message }) => String(message).startsWith('counting failures'));
        return found.length > 0 && found;
      });
      assert.deepEqual(
        warnings.map(({ level, counter }) => [level, counter]),
        [['warn', 'test']],
      );
    } finally {
      redis.disconnect();
    }
  });
});

describe('openRedis', () => {
  it('refuses several servers that are no cluster', () => {
    assert.throws(
      () => openRedis({ urls: 'redis://one:6379,redis://two:6379', isCluster: false, log: testLog() }),
      /REDIS_CLUSTER/,
    );
  });
});
