import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { privatePostgresPair, type PrivatePostgresPair } from '@gatehouse/dev/testing';
import { PASSWORD, startWorld, type World } from '../../e2e/src/testing/index.ts';
import { startBackgroundUsers, type BackgroundUsers } from './background-users.ts';
import { isNotAcknowledged, withWaiting } from './standby-writes.ts';

describe('a Postgres with a synchronous standby', function () {
  this.timeout(120_000);
  let pair: PrivatePostgresPair;
  let world: World;
  let users: BackgroundUsers;
  before(async () => {
    pair = await privatePostgresPair();
    const reroute = (url: string): string => (url.startsWith('postgres') ? pair.withBoth(url) : url);
    world = await startWorld({}, { reroute, postgresUrl: pair.url });
    users = await startBackgroundUsers(world);
  });
  after(async () => {
    await users?.stop();
    await world?.stop();
    await pair?.stop();
  });

  const register = async (): Promise<number> => {
    const body = { Email: world.someEmail(), Password: PASSWORD };
    return (await world.post('/account/register', body)).status;
  };

  it('acknowledges nothing that the standby does not have, and continues when it is back', async () => {
    await pair.hold('postgres-2');
    try {
      const url = pair.withBoth(world.stack.facts.databaseUrl);
      const statuses = await isNotAcknowledged(url, 'while_it_is_gone', async () => {
        const registered = Promise.all([register(), register(), register()]);
        // As an operator may do if statements seem to be stuck.
        await withWaiting(pair.url, 'pg_cancel_backend(pid)');
        return registered;
      });
      assert.deepEqual(statuses, [503, 503, 503]);
    } finally {
      await pair.release('postgres-2');
    }
    await users.recover();
  });

  it('is lost under load without losing acknowledged writes: the standby takes over', async () => {
    assert.deepEqual(users.takeFailures(), []);
    await pair.hold('postgres');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await pair.promote();
    await users.recover();
    await eventually(async () => (await register()) === 200);
    await users.lostNothing();
  });
});
