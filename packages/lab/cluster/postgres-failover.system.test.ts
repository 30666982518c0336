import assert from 'node:assert/strict';
import { connectDb, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE, Unavailable } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { privatePostgresPair, type PrivatePostgresPair } from '@gatehouse/dev/testing';
import { PASSWORD, startWorld, type World } from '../../e2e/src/testing/index.ts';
import { startBackgroundUsers, type BackgroundUsers } from './background-users.ts';

const RECOVERY_MS = 10_000;
const ANSWER_MS = 5000;

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
    await users?.leave();
    await world?.stop();
    await pair?.stop();
  });

  /** The time until no call fails for a second. */
  const recovered = async (): Promise<number> => {
    const begun = performance.now();
    for (;;) {
      users.takeFailures();
      const [at, before] = [performance.now(), users.successes()];
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (users.takeFailures().length === 0 && users.successes() > before + 20) return at - begun;
      assert.ok(at - begun < 2 * RECOVERY_MS, `${at - begun} ms`);
    }
  };
  const register = async (): Promise<number> => {
    const body = { Email: world.someEmail(), Password: PASSWORD };
    return (await world.post('/account/register', body)).status;
  };

  /** A transaction like those of operations, but without a deadline. */
  const writeOnce = async (table: string): Promise<void> => {
    const url = pair.withBoth(world.stack.facts.databaseUrl);
    const db = connectDb({ url, applicationName: 'write', poolMax: 1 });
    try {
      await inTransaction(db, NO_DEADLINE, (tx) => query(tx, `create table ${table} (id integer)`));
    } finally {
      await db.destroy();
    }
  };

  /** Cancels waiting statements, as an operator may do if they seem to be stuck. */
  const cancelWaiting = async (): Promise<void> => {
    const db = connectDb({ url: pair.url, applicationName: 'operator', poolMax: 1 });
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
      where application_name = 'write' and wait_event = 'SyncRep'`;
    await eventually(async () => (await query(db, cancel)).length > 0);
    await db.destroy();
  };

  const nothingIsAcknowledged = async (table: string): Promise<void> => {
    const begun = performance.now();
    const [statuses] = await Promise.all([
      Promise.all([register(), register(), register()]),
      assert.rejects(writeOnce(table), Unavailable),
      cancelWaiting(),
    ]);
    assert.deepEqual(statuses, [503, 503, 503]);
    assert.ok(performance.now() - begun < ANSWER_MS, `${performance.now() - begun} ms`);
  };

  it('acknowledges nothing that the standby does not have, and continues when it is back', async () => {
    await pair.hold('postgres-2');
    try {
      await nothingIsAcknowledged('while_it_is_gone');
    } finally {
      await pair.release('postgres-2');
    }
    const milliseconds = await recovered();
    assert.ok(milliseconds < RECOVERY_MS, `${milliseconds} ms`);
  });

  it('is lost under load without losing acknowledged writes: the standby takes over', async () => {
    assert.deepEqual(users.takeFailures(), []);
    await pair.hold('postgres');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await pair.promote();
    const milliseconds = await recovered();
    assert.ok(milliseconds < RECOVERY_MS, `${milliseconds} ms`);
    await eventually(async () => (await register()) === 200);
    await users.stop();
  });
});
