import assert from 'node:assert/strict';
import { testLog } from '@gatehouse/runtime/testing';
import { connectDb, query, type Db } from '../postgres/connect.ts';
import { SERVICES } from './grants.ts';
import { createSchemaCheck } from './migrate.ts';
import { during, testDatabase } from '../testing/index.ts';

describe('the check of the schema', () => {
  const database = during(testDatabase);

  for (const service of SERVICES) {
    it(`passes for ${service} on the schema of this release and on a newer one, and fails on an older one`, async () => {
      const db: Db = connectDb({ url: database.urlAs(service), applicationName: 'schema', poolMax: 1 });
      const log = testLog();
      const check = createSchemaCheck({ db, log });
      try {
        await check();
        await query(database.db, `insert into migration (name, digest) values ('9999_later.sql', '')`);
        await check();
        await query(database.db, `delete from migration where name like '9999%'`);
        await query(database.db, `update migration set name = 'none' where name = '0000_baseline'`);
        for (let time = 0; time < 3; time += 1) await assert.rejects(check(), /lacks 0000_baseline$/);
        // Logged once, however often an orchestrator asks.
        assert.equal(
          log.lines.filter((line) => JSON.stringify(line).includes('schema is outdated')).length,
          1,
        );
        await query(database.db, `update migration set name = '0000_baseline' where name = 'none'`);
        await check();
        assert.equal(log.lines.length, 1);
      } finally {
        await db.destroy();
      }
    });
  }

  it('fails on a database without the migrations function', async () => {
    await query(database.db, 'drop function applied_migrations()');
    await assert.rejects(createSchemaCheck({ db: database.db, log: testLog() })(), /lacks/);
  });
});
