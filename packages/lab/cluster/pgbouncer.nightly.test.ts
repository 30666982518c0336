import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { during, eventually, testServers } from '@gatehouse/runtime/testing';
import { privatePgbouncer, type PrivatePgbouncer } from '@gatehouse/dev/testing';
import { testAccountJourney, testGuestJourney } from '../../e2e/src/journeys/journeys.ts';
import { startWorld } from '../../e2e/src/testing/index.ts';
import { withDb } from '../database.ts';
import { usersOf } from './background-users.ts';

/** Connections for each login of a service. Without PgBouncer each process would have ten. */
const POOL_SIZE = 3;

describe('three instances of each service behind PgBouncer in transaction mode', function () {
  this.timeout(120_000);
  /** The database URLs of the services, without PgBouncer. */
  const serviceUrls = new Set<string>();
  let pooler: PrivatePgbouncer;
  const world = during(async () => {
    pooler = await privatePgbouncer({ postgresUrl: testServers().postgresUrl, poolSize: POOL_SIZE });
    const reroute = (url: string): string => {
      if (!url.startsWith('postgres')) return url;
      serviceUrls.add(url);
      return pooler.through(url);
    };
    return startWorld({ DATABASE_PREPARE: 'false' }, { scale: 3, reroute });
  });
  after(() => pooler?.stop());

  describe('under load', () => {
    const users = usersOf(() => world);

    it('share a few connections without failures', async () => {
      await eventually(() => users().successes() > 300, 30);
      const count = `select usename as login, count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() group by usename`;
      const logins = await withDb(world.stack.facts.databaseUrl, (db) =>
        query<{ login: string; count: number }>(db, count),
      );
      for (const url of serviceUrls) {
        const found = logins.find(({ login }) => login === new URL(url).username)?.count ?? 0;
        assert.ok(found > 0 && found <= POOL_SIZE, `${url}: ${found}`);
      }
      assert.deepEqual(users().takeFailures(), []);
      await users().lostNothing();
    });

    it('lose no data and no sessions while PgBouncer and an instance are killed', async () => {
      await pooler.hold();
      world.stack.kill('core-2');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await pooler.release();
      await users().recover();
      await users().lostNothing();
    });
  });

  it('are held to their time-outs by Postgres', async () => {
    for (const url of serviceUrls) {
      const settings = `select current_setting('statement_timeout') as statement,
         current_setting('idle_in_transaction_session_timeout') as idle`;
      const rows = await withDb(pooler.through(url), (db) => query(db, settings));
      assert.deepEqual(rows, [{ statement: '2200ms', idle: '10s' }]);
    }
  });

  testAccountJourney(() => world);
  testGuestJourney(() => world);
});
