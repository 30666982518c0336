import assert from 'node:assert/strict';
import { connectDb, query, type Db } from '@gatehouse/db';
import { eventually, testServers } from '@gatehouse/runtime/testing';
import { privatePgbouncer, type PrivatePgbouncer } from '@gatehouse/dev/testing';
import { testAccountJourney } from '../../e2e/src/journeys/account-journey.ts';
import { testGuestJourney } from '../../e2e/src/journeys/guest-journey.ts';
import { startWorld, type World } from '../../e2e/src/testing/index.ts';
import { startBackgroundUsers, type BackgroundUsers } from './background-users.ts';

/** Connections for each login of a service. Without PgBouncer each process would have ten. */
const POOL_SIZE = 3;
const RECOVERY_SECONDS = 10;

describe('three instances of each service behind PgBouncer in transaction mode', function () {
  this.timeout(120_000);
  let pooler: PrivatePgbouncer;
  let world: World;
  /** The database URLs of the services, without PgBouncer. */
  const serviceUrls = new Set<string>();
  let direct: Db;
  let users: BackgroundUsers | undefined;
  before(async () => {
    pooler = await privatePgbouncer({ postgresUrl: testServers().TEST_POSTGRES_URL, poolSize: POOL_SIZE });
    const reroute = (url: string): string => {
      if (!url.startsWith('postgres')) return url;
      serviceUrls.add(url);
      return pooler.through(url);
    };
    world = await startWorld({ DATABASE_PREPARE: 'false' }, { scale: 3, reroute });
    direct = connectDb({ url: world.stack.facts.databaseUrl, applicationName: 'look', poolMax: 1 });
  });
  after(async () => {
    await direct?.destroy();
    await world?.stop();
    await pooler?.stop();
  });

  afterEach(async () => {
    await users?.leave();
    users = undefined;
  });

  it('share a few connections without failures', async () => {
    const { successes, takeFailures, stop } = (users = await startBackgroundUsers(world));
    await eventually(() => successes() > 300, 30);
    const logins = await query<{ login: string; count: number }>(
      direct,
      `select usename as login, count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() group by usename`,
    );
    for (const url of serviceUrls) {
      const count = logins.find(({ login }) => login === new URL(url).username)?.count ?? 0;
      assert.ok(count > 0 && count <= POOL_SIZE, `${url}: ${count}`);
    }
    assert.deepEqual(takeFailures(), []);
    await stop();
  });

  it('are held to their time-outs by Postgres', async () => {
    for (const url of serviceUrls) {
      const db = connectDb({ url: pooler.through(url), applicationName: 'look', poolMax: 1 });
      const rows = await query(
        db,
        `select current_setting('statement_timeout') as statement,
           current_setting('idle_in_transaction_session_timeout') as idle`,
      );
      await db.destroy();
      assert.deepEqual(rows, [{ statement: '2200ms', idle: '10s' }]);
    }
  });

  it('lose no data and no sessions while PgBouncer and an instance are killed', async () => {
    const { successes, takeFailures, stop } = (users = await startBackgroundUsers(world));
    await pooler.hold();
    world.stack.kill('core-2');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await pooler.release();
    const released = Date.now();
    await eventually(async () => {
      takeFailures();
      const before = successes();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return takeFailures().length === 0 && successes() > before + 20;
    }, 20);
    assert.ok(Date.now() - released < RECOVERY_SECONDS * 1000, `${Date.now() - released} ms`);
    await stop();
  });

  testAccountJourney(() => world);
  testGuestJourney(() => world);
});
