import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { startWorld, type World } from '../testing/index.ts';
import { readComposeFile } from '../containers/compose-file.ts';
import { startBackgroundUsers } from './background-users.ts';

describe('one of two instances, as Compose starts them,', function () {
  this.timeout(120_000);
  let world: World;
  before(async () => {
    const { DRAIN_SECONDS = '' } = readComposeFile().services['core']?.environment ?? {};
    world = await startWorld({ DRAIN_SECONDS }, { scale: 2 });
  });
  after(() => world?.stop());

  it('stops under load without a failed request, although the gateway is not told', async () => {
    const users = await startBackgroundUsers(world);
    try {
      for (const name of ['core', 'core-2'] as const) {
        const number = name === 'core' ? 0 : 1;
        const pid = () => world.stack.facts.instances?.['core']?.[number]?.pid;
        const before = pid();
        const served = users.successes();
        await eventually(() => users.successes() > served + 20);
        world.stack.kill(name, 'SIGTERM');
        await eventually(() => pid() !== before, 30);
        const { internalUrl } = world.stack.facts.instances?.['core']?.[number] ?? {};
        await eventually(async () => (await fetch(`${internalUrl}/health/ready`)).status === 200, 30);
      }
      assert.deepEqual(users.takeFailures(), []);
    } finally {
      await users.leave();
    }
    await users.stop();
  });
});
