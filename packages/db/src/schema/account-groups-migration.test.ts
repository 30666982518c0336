import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { connectDb, query, type Db } from '../postgres/connect.ts';
import { testDatabase, type TestDatabase } from '../testing/index.ts';
import { applyGrants } from './grants.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migrations.ts';

/** How version 1.0.0 writes groups: an administrator, a sign-on, and an import. */
const CHANGED =
  'update account set groups = coalesce(cast(:groups as text[]), groups) where id = :id returning groups';
const NAMED = `with own as (select id, groups from account where id = :id for no key update)
  update account set groups = cast(:groups as text[]) from own
  where account.id = own.id and own.groups <> cast(:groups as text[])
  returning own.groups as before`;
const IMPORTED = `insert into account (id, email, email_key, role, groups, signup)
  select :id, cast(:email as text), cast(:email as text), 'User', cast(:groups as text[]), 'new'`;

describe('the migration to groups with sources', () => {
  let database: TestDatabase;
  let owner: Db;
  let admin: Db;
  before(async () => {
    database = await testDatabase();
    owner = connectDb({ url: database.url, applicationName: 'migrate', poolMax: 1, hasLongTimeouts: true });
    await owner.raw('drop schema public cascade');
    await owner.raw('create schema public');
    const [baseline] = await readMigrations();
    assert.ok(baseline);
    await migrate(owner, { migrations: [baseline] });
    admin = connectDb({ url: database.urlAs('admin'), applicationName: 'admin', poolMax: 1 });
  });
  after(async () => {
    await admin.destroy();
    await owner.destroy();
    await database.drop();
  });

  const account = async (groups: string[], said: object[] = [], isLinked = true): Promise<string> => {
    const id = newId();
    await query(owner, IMPORTED, { id, email: `${id}@example.com`, groups });
    if (isLinked)
      await query(
        owner,
        `insert into sso_identity (issuer, subject, account_id, provider) values ('https://idp', ?, ?, 'corp')`,
        [id, id],
      );
    for (const details of said)
      await query(
        owner,
        `insert into audit (id, action, actor_kind, target_kind, target_id, details)
         values (?, 'account.changed', 'System', 'Account', ?, cast(? as jsonb))`,
        [newId(), id, JSON.stringify(details)],
      );
    return id;
  };
  const stateOf = async (id: string) => {
    const [row] = await query<{ groups: string[]; sources: string[] }>(
      owner,
      `select groups, array(
         select label || ' ' || source from account_group where account_id = account.id order by label, source
       ) as sources
       from account where id = ?`,
      [id],
    );
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
    await migrate(owner);
    await applyGrants(owner);
    const all = (source: string) => [
      ['ops', 'staff'],
      [`ops ${source}`, `staff ${source}`],
    ];
    assert.deepEqual(await stateOf(ids.none), [[], []]);
    assert.deepEqual(await stateOf(ids.given), all('Administrator'));
    assert.deepEqual(await stateOf(ids.said), all('corp'));
    assert.deepEqual(await stateOf(ids.changedSince), all('Administrator'));
    assert.deepEqual(await stateOf(ids.saidOthers), [['staff'], ['staff Administrator']]);
    assert.deepEqual(await stateOf(ids.unlinked), all('Administrator'));

    // What version 1.0.0 writes is what counts. A new label is an administrator's, one that stays keeps its source.
    const { said: id } = ids;
    await query(admin, CHANGED, { id, groups: null });
    assert.deepEqual(await stateOf(id), all('corp'));
    assert.deepEqual(await query(admin, CHANGED, { id, groups: ['staff', 'x'] }), [
      { groups: ['staff', 'x'] },
    ]);
    assert.deepEqual(await stateOf(id), [
      ['staff', 'x'],
      ['staff corp', 'x Administrator'],
    ]);
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
