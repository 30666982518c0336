import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateRedisCluster } from './private-redis-cluster.ts';
import { launcherOf } from '../processes/leftovers.ts';

describe('a private Redis Cluster', function () {
  this.timeout(60_000);

  it('belongs to the process that started it, so that other runs do not remove it', async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('gatehouse-test-redis-'));
    const earlier = new Set(folders());
    const cluster = await privateRedisCluster();
    try {
      const launchers = folders()
        .filter((name) => !earlier.has(name))
        .map((name) => launcherOf(join(tmpdir(), name, 'run')));
      assert.ok(launchers.includes(process.pid), launchers.join());
    } finally {
      await cluster.stop();
    }
  });
});
