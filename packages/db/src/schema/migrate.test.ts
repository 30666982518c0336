import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connectDb, query, type Db } from '../postgres/connect.ts';
import { testDatabase, type TestDatabase } from '../testing/index.ts';
import { migrateCommand } from './migrate-command.ts';
import { migrate } from './migrate.ts';
import { BASELINE, BASELINE_FILES, readMigrations } from './migrations.ts';

describe('migrate', () => {
  let database: TestDatabase;
  let db: Db;
  beforeEach(async () => {
    database = await testDatabase();
    db = connectDb({ url: database.url, applicationName: 'migrate', poolMax: 1, hasLongTimeouts: true });
  });
  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  /** Runs `npm run migrate` on the test's database. */
  async function runCommand(): Promise<{ status: number; errors: string }> {
    let errors = '';
    const say = { out: () => {}, err: (text: string) => void (errors += text) };
    const status = await migrateCommand(say, { DATABASE_URL: database.url });
    return { status, errors };
  }
  /** The names of tables and functions, and the applied migrations. */
  const contents = async () =>
    query(
      db,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       union all select proname from pg_proc where pronamespace = 'public'::regnamespace
       union all select 'applied ' || name from migration
       order by name`,
    );

  it('applies every file of the baseline', () => {
    assert.deepEqual(readdirSync(new URL('./baseline/', import.meta.url)), BASELINE_FILES.toSorted());
  });

  it('applies numbered migrations after the baseline, each once, and refuses one that has changed', async () => {
    const next = { name: '0001_next.sql', sql: 'alter table account add column next boolean' };
    const migrations = [...(await readMigrations()), next];
    assert.deepEqual(await migrate(db, { migrations }), ['0001_next.sql']);
    assert.deepEqual(await migrate(db, { migrations }), []);
    await query(db, 'select next from account');
    const changed = [...migrations.slice(0, -1), { ...next, sql: `${next.sql} not null` }];
    await assert.rejects(migrate(db, { migrations: changed }), /0001_next.sql was changed/);
  });

  it('accepts a database that a checkout with the line ends of Windows has made', async () => {
    const [baseline] = await readMigrations();
    assert.ok(baseline?.windowsSql?.includes('\r\n') === true && !baseline.sql.includes('\r'));
    const digest = createHash('sha256').update(baseline.windowsSql).digest('hex');
    await query(db, 'update migration set digest = ? where name = ?', [digest, BASELINE]);
    assert.deepEqual(await migrate(db), []);
  });

  it('has the digest that 1.0.0 noted', async () => {
    const [row] = await query<{ digest: string }>(db, 'select digest from migration where name = ?', [
      BASELINE,
    ]);
    assert.equal(row?.digest, '065f16098533624344758ae59abc7cab3ad5c70233c1385a095b130b42ae3c55');
  });

  for (const [name, statement] of [
    [
      'without the baseline',
      `update migration set name = '0001_accounts_and_sessions.sql' where name = '${BASELINE}'`,
    ],
    ['with another baseline', `update migration set digest = 'another' where name = '${BASELINE}'`],
  ] as const) {
    it(`refuses a database of a version before 1.0, ${name}, and changes nothing in it`, async () => {
      await query(db, statement);
      await query(db, 'drop function applied_migrations');
      const before = await contents();
      const { status, errors } = await runCommand();
      assert.equal(status, 1);
      assert.match(errors, /created by a version before 1\.0.*Keep it .* start with an empty database/);
      assert.deepEqual(await contents(), before);
    });
  }
});
