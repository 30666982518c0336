import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { testLog } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { query, type Db } from '../postgres/connect.ts';
import { during, duringEach, endings, insertRow, testDatabase } from '../testing/index.ts';
import { migrateCommand } from './migrate-command.ts';
import { createSchemaCheck, migrate, BASELINE, BASELINE_FILES, readMigrations } from './migrate.ts';
import { applyGrants, SERVICES } from './grants.ts';

/** How version 1.0.0 writes groups: an administrator, a sign-on, and an import. */
const CHANGED =
  'update account set groups = coalesce(cast(:groups as text[]), groups) where id = :id returning groups';
const NAMED = `with own as (select id, groups from account where id = :id for no key update)
  update account set groups = cast(:groups as text[]) from own
  where account.id = own.id and own.groups <> cast(:groups as text[])
  returning own.groups as before`;
const IMPORTED = `insert into account (id, email, email_key, role, groups, signup)
  select :id, cast(:email as text), cast(:email as text), 'User', cast(:groups as text[]), 'new'`;

describe('migrate', () => {
  const atEnd = endings();
  const database = duringEach(testDatabase);
  let db: Db;
  beforeEach(() => void (db = database.connect({ hasLongTimeouts: true })));

  async function runCommand(url = database.url): Promise<{ status: number; errors: string }> {
    let errors = '';
    const say = { out: () => {}, err: (text: string) => void (errors += text) };
    const status = await migrateCommand(say, { DATABASE_URL: url });
    return { status, errors };
  }
  const contents = async () =>
    query(
      db,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       union all select proname from pg_proc where pronamespace = 'public'::regnamespace
       union all select 'applied ' || name from migration
       order by name`,
    );

  it('applies every file of the baseline', () =>
    assert.deepEqual(readdirSync(new URL('./baseline/', import.meta.url)), BASELINE_FILES.toSorted()));

  it('applies numbered migrations after the baseline, each once, and refuses one that has changed', async () => {
    const next = { name: '0001_next.sql', sql: 'alter table account add column next boolean' };
    const migrations = [...(await readMigrations()), next];
    assert.deepEqual(await migrate(db, { migrations }), ['0001_next.sql']);
    assert.deepEqual(await migrate(db, { migrations }), []);
    await query(db, 'select next from account');
    const changed = [...migrations.slice(0, -1), { ...next, sql: `${next.sql} not null` }];
    await assert.rejects(migrate(db, { migrations: changed }), /0001_next.sql was changed/);
  });

  it('refuses a database that does not store UTF-8', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_latin1`;
    await query(db, `create database "${name}" encoding 'LATIN1' locale 'C' template template0`);
    const url = Object.assign(new URL(database.url), { pathname: name }).href;
    atEnd(() => query(db, `drop database "${name}"`));
    const { status, errors } = await runCommand(url);
    assert.equal(status, 1);
    assert.match(errors, /^the database must have the encoding UTF8, not LATIN1, .*--encoding=UTF8\n$/);
  });

  it('applies each once when five processes migrate at once', async () => {
    const next = { name: '0001_next.sql', sql: 'alter table account add column next boolean' };
    const migrations = [...(await readMigrations()), next];
    const others = Array.from({ length: 5 }, () => database.connect({ hasLongTimeouts: true }));
    const applied = await Promise.all(others.map((other) => migrate(other, { migrations })));
    assert.deepEqual(applied.flat(), [next.name]);
  });

  it('runs what is no transaction once, and again from the start if it was cut off', async () => {
    const migrationsWith = async (last: string) => {
      const note = '-- Not in a transaction: a test';
      const parts = [note, 'drop index concurrently if exists account_next', last];
      return [...(await readMigrations()), { name: '9999_next.sql', sql: parts.join('\n\n') }];
    };
    // Postgres leaves an index behind that is not valid.
    await insertRow(db, 'account', { id: newId(), email: 'ann@example.com', email_key: 'ann@example.com' });
    const index = (what: string) => `create index concurrently account_next on account (${what})`;
    const failing = await migrationsWith(index('(1 / cardinality(groups))'));
    await assert.rejects(migrate(db, { migrations: failing }), /division by zero/);
    const others = Array.from({ length: 3 }, () => database.connect({ hasLongTimeouts: true }));
    const migrations = await migrationsWith(index('id'));
    const applied = await Promise.all(others.map((other) => migrate(other, { migrations })));
    assert.deepEqual(applied.flat(), ['9999_next.sql']);
    const isValid = `select indisvalid from pg_index where indexrelid = 'account_next'::regclass`;
    assert.equal(await query.value(db, isValid), true);
  });

  it('accepts a database that a checkout with the line ends of Windows has made', async () => {
    const [baseline] = await readMigrations();
    assert.ok(baseline?.windowsSql?.includes('\r\n') === true && !baseline.sql.includes('\r'));
    const digest = createHash('sha256').update(baseline.windowsSql).digest('hex');
    await query(db, 'update migration set digest = ? where name = ?', [digest, BASELINE]);
    assert.deepEqual(await migrate(db), []);
  });

  it('has the digest that 1.0.0 noted', async () => {
    const digest = await query.value(db, 'select digest from migration where name = ?', [BASELINE]);
    assert.equal(digest, '065f16098533624344758ae59abc7cab3ad5c70233c1385a095b130b42ae3c55');
  });

  for (const [name, statement] of [
    [
      'without the baseline',
      `update migration set name = '0001_accounts_and_sessions.sql' where name = '${BASELINE}'`,
    ],
    ['with another baseline', `update migration set digest = 'another' where name = '${BASELINE}'`],
  ] as const)
    it(`refuses a database of a version before 1.0, ${name}, and changes nothing in it`, async () => {
      await query(db, statement);
      await query(db, 'drop function applied_migrations');
      const before = await contents();
      const { status, errors } = await runCommand();
      assert.equal(status, 1);
      assert.match(errors, /created by a version before 1\.0.*Keep it .* start with an empty database/);
      assert.deepEqual(await contents(), before);
    });
});

describe('the check of the schema', () => {
  const database = during(testDatabase);

  for (const service of SERVICES)
    it(`passes for ${service} on the schema of this release and on a newer one, and fails on an older one`, async () => {
      const db = database.connect({ as: service, poolMax: 1 });
      const log = testLog();
      const check = createSchemaCheck({ db, log });
      await check();
      await query(database.db, `insert into migration (name, digest) values ('9999_later.sql', '')`);
      await check();
      await query(database.db, `delete from migration where name like '9999%'`);
      await query(database.db, `update migration set name = 'none' where name = '0000_baseline'`);
      for (let time = 0; time < 3; time += 1) await assert.rejects(check(), /lacks 0000_baseline$/);
      // Logged once, however often an orchestrator asks.
      const outdated = log.lines.filter((line) => JSON.stringify(line).includes('schema is outdated'));
      assert.equal(outdated.length, 1);
      await query(database.db, `update migration set name = '0000_baseline' where name = 'none'`);
      await check();
      assert.equal(log.lines.length, 1);
    });

  it('fails on a database without the migrations function', async () => {
    await query(database.db, 'drop function applied_migrations()');
    await assert.rejects(createSchemaCheck({ db: database.db, log: testLog() })(), /lacks/);
  });
});

describe('the migration to groups with sources', () => {
  const database = during(testDatabase);
  let owner: Db;
  let admin: Db;
  before(async () => {
    owner = database.connect({ hasLongTimeouts: true });
    await owner.raw('drop schema public cascade');
    await owner.raw('create schema public');
    const [baseline] = await readMigrations();
    assert.ok(baseline);
    await migrate(owner, { migrations: [baseline] });
    admin = database.connect({ as: 'admin', poolMax: 1 });
  });

  const account = async (groups: string[], said: object[] = [], isLinked = true): Promise<string> => {
    const id = newId();
    await query(owner, IMPORTED, { id, email: `${id}@example.com`, groups });
    const identity = { issuer: 'https://idp', subject: id, accountId: id, provider: 'corp' };
    if (isLinked) await insertRow(owner, 'sso_identity', identity);
    const about = { targetKind: 'Account', targetId: id };
    const changed = { action: 'account.changed', actorKind: 'System', ...about };
    for (const details of said)
      await insertRow(owner, 'audit', { ...changed, id: newId(), details: JSON.stringify(details) });
    return id;
  };
  const stateOf = async (id: string) => {
    const sql = `select groups, array(
         select label || ' ' || source from account_group where account_id = account.id order by label, source
       ) as sources
       from account where id = ?`;
    const [row] = await query<{ groups: string[]; sources: string[] }>(owner, sql, [id]);
    return [row?.groups, row?.sources];
  };

  it('keeps every label, with the provider as its source where the audit shows it, and lets 1.0.0 go on', async () => {
    const byProvider = { Groups: ['ops', 'staff'], Provider: 'corp' };
    const byAdministrator = { Groups: ['ops', 'staff'] };
    const ids = {
      none: await account([]),
      given: await account(['ops', 'staff']),
      said: await account(['ops', 'staff'], [byAdministrator, byProvider]),
      changedSince: await account(['ops', 'staff'], [byProvider, byAdministrator]),
      saidOthers: await account(['staff'], [byProvider]),
      unlinked: await account(['ops', 'staff'], [byProvider], false),
    };
    // Version 1.0.0 goes on between the steps.
    const migrations = await readMigrations();
    const copying = migrations.findIndex(({ name }) => name === '0003_groups_so_far.sql');
    await migrate(owner, { migrations: migrations.slice(0, copying) });
    const meanwhile = await account(['ops', 'others'], [byProvider]);
    await query(owner, NAMED, { id: meanwhile, groups: ['ops', 'staff'] });
    await migrate(owner);
    await applyGrants(owner);
    const all = (source: string) => [
      ['ops', 'staff'],
      [`ops ${source}`, `staff ${source}`],
    ];
    assert.deepEqual(await stateOf(ids.none), [[], []]);
    assert.deepEqual(await stateOf(ids.given), all('Administrator'));
    assert.deepEqual(await stateOf(ids.said), all('corp'));
    assert.deepEqual(await stateOf(meanwhile), all('corp'));
    assert.deepEqual(await stateOf(ids.changedSince), all('Administrator'));
    assert.deepEqual(await stateOf(ids.saidOthers), [['staff'], ['staff Administrator']]);
    assert.deepEqual(await stateOf(ids.unlinked), all('Administrator'));

    // What version 1.0.0 writes is what counts. A new label is an administrator's, one that stays keeps its source.
    const { said: id } = ids;
    await query(admin, CHANGED, { id, groups: null });
    assert.deepEqual(await stateOf(id), all('corp'));
    const groups = ['staff', 'x'];
    assert.deepEqual(await query(admin, CHANGED, { id, groups }), [{ groups }]);
    assert.deepEqual(await stateOf(id), [groups, ['staff corp', 'x Administrator']]);
    assert.deepEqual(await query(admin, NAMED, { id, groups: ['y'] }), [{ before: ['staff', 'x'] }]);
    assert.deepEqual(await query(admin, NAMED, { id, groups: ['y'] }), []);
    assert.deepEqual(await stateOf(id), [['y'], ['y Administrator']]);
    await query(admin, CHANGED, { id, groups: [] });
    assert.deepEqual(await stateOf(id), [[], []]);
    const imported = newId();
    await query(admin, IMPORTED, { id: imported, email: `${imported}@example.com`, groups: ['b', 'a'] });
    assert.deepEqual(await stateOf(imported), [
      ['a', 'b'],
      ['a Administrator', 'b Administrator'],
    ]);
    await query(admin, 'delete from account where id = ?', [imported]);
    assert.deepEqual(await stateOf(imported), [undefined, undefined]);
  });
});
