import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programArguments } from '@gatehouse/build';
import { eventually } from '@gatehouse/runtime/testing';
import { testAccountJourney } from '../journeys/account-journey.ts';
import { testGuestJourney } from '../journeys/guest-journey.ts';
import { startWorld, type World } from '../testing/index.ts';

describe('two instances of each service on a Redis Cluster', function () {
  this.timeout(180_000);
  let world: World;
  before(async () => {
    world = await startWorld({}, { scale: 2, redisCluster: true });
  });
  after(() => world.stop());

  it('are listed in stack.json, all running', async () => {
    const { instances = {}, urls, pids } = world.stack.facts;
    assert.deepEqual(Object.keys(instances), ['core', 'portal', 'admin', 'mailWorker']);
    for (const [service, [first, second, ...more]] of Object.entries(instances)) {
      assert.ok(first !== undefined && second !== undefined && more.length === 0, service);
      assert.equal(first.pid, pids[service]);
      assert.notEqual(first.pid, second.pid);
      for (const { internalUrl } of [first, second]) {
        assert.equal((await fetch(`${internalUrl}/health/ready`)).status, 200);
      }
    }
    assert.equal(instances['core']?.[0]?.url, urls.core);
  });

  testAccountJourney(() => world);
  testGuestJourney(() => world);

  it('fails no request while the signing keys rotate, and refuses a removed key at once', async () => {
    const email = await eventually(() => world.newAccount(), 60);
    const { Token, RefreshToken } = await world.login(email);
    const keys = join(world.directory, 'secrets', 'signing-keys.json');
    const rotate = (...more: string[]) =>
      promisify(execFile)(process.execPath, [...programArguments('tools'), 'keys', 'rotate', keys, ...more]);

    let running = true;
    const statuses = new Set<number>();
    const load = async (): Promise<void> => {
      while (running) {
        const fresh = await world.post('/account/refresh-token', { RefreshToken });
        const checked = await world.call('GET', '/ping/auth', undefined, String(fresh.body['Token']));
        statuses.add(fresh.status).add(checked.status);
      }
    };
    const loads = [load(), load()];
    const kidOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    await rotate('--publish-seconds', '3');
    await eventually(async () => {
      const { body } = await world.post('/account/refresh-token', { RefreshToken });
      return kidOf(String(body['Token'])) !== kidOf(Token);
    }, 20);
    running = false;
    await Promise.all(loads);
    assert.deepEqual(statuses, new Set([200]));
    assert.equal((await world.call('GET', '/ping/auth', undefined, Token)).status, 200);

    const set = JSON.parse(await readFile(keys, 'utf8')) as { keys: { kid: string }[] };
    const rest = set.keys.filter(({ kid }) => kid !== kidOf(Token));
    await writeFile(keys, JSON.stringify({ keys: rest }));
    await eventually(
      async () => (await world.call('GET', '/ping/auth', undefined, Token)).body['code'] === 'token_invalid',
      5,
    );
  });
});
