import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connectDb, query, type Db } from '../postgres/connect.ts';
import { applyGrants, ensureLogins, loginOf, revokeServerFunctions, SERVICES } from './grants.ts';
import type { ServiceName } from './grants.ts';
import { migrate } from './migrate.ts';
import { FORBIDDEN, FORBIDDEN_TO_ALL } from '../testing/forbidden-statements.ts';
import { during, endings, insertRow, testDatabase } from '../testing/index.ts';

describe('the rights of the services', () => {
  const database = during(testDatabase);
  const as = {} as Record<ServiceName, Db>;
  const atEnd = endings();
  before(async () => {
    // A cloned database has the rights of its template's tables, but not those on the database itself.
    await applyGrants(database.db);
    for (const service of SERVICES) as[service] = database.connect({ as: service, poolMax: 1 });
  });

  for (const service of SERVICES) {
    for (const statement of new Set([...FORBIDDEN_TO_ALL, ...FORBIDDEN[service]]))
      it(`refuse ${service}: ${statement}`, () =>
        assert.rejects(query(as[service], statement), { code: '42501' }));
  }

  it('allow Admin to create an administrator', async () => {
    const sql = `insert into account (id, email, email_key, role) values (gen_random_uuid(), 'x', 'x', 'Admin')`;
    await query(as.admin, sql);
  });

  for (const service of ['core', 'portal'] as const)
    it(`keep ${service} from removing an administrator, and from making a session active again`, async () => {
      const { db } = database;
      const id = randomUUID();
      await insertRow(db, 'account', { id, email: id, emailKey: id, role: 'Admin' });
      const sql = `insert into user_session (id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at)
         values (?, ?, 4, true, '', '', now() + interval '1 day', now())`;
      await query(db, sql, [id, id]);
      await assert.rejects(query(as[service], 'delete from account where id = ?', [id]), { code: '42501' });
      const revival = 'update user_session set status = 1, ended_at = null, end_reason = null where id = ?';
      await assert.rejects(query(as[service], revival, [id]), { code: '42501' });
      await query(as.admin, revival, [id]);
      await query(as[service], 'update user_session set status = 4, ended_at = now() where id = ?', [id]);
      await query(as.admin, 'delete from account where id = ?', [id]);
    });

  describe('at webhooks', () => {
    const newWebhook = async (isEnabled: boolean): Promise<string> => {
      const id = randomUUID();
      const sql = `insert into webhook (id, name, url, types, secret, is_enabled, disabled_at)
         values (:id, 'Billing', 'https://hooks.example.com', '{*}', 'x', :isEnabled, case when not :isEnabled then now() end)`;
      await query(database.db, sql, { id, isEnabled });
      return id;
    };
    const change = (id: string, what: string) =>
      query(as['hook-worker'], `update webhook set ${what} where id = ?`, [id]);

    it('let the hook worker disable one and have that reported', async () => {
      const id = await newWebhook(true);
      const reported = `is_enabled = false, disabled_reason = 'Gone', disabled_at = now(), is_reported = false`;
      await change(id, reported);
      await assert.rejects(change(id, 'is_reported = true'), /permission denied to enable/);
    });

    it('do not let it enable one, or change where it posts to', async () => {
      const id = await newWebhook(false);
      const enabled = 'is_enabled = true, disabled_at = null';
      await assert.rejects(change(id, enabled), /permission denied to enable/);
      await assert.rejects(change(id, `url = 'https://evil.example'`), /permission denied for table webhook/);
    });
  });

  it('cover every table', async () => {
    const sql = readFileSync(new URL('./grants.sql', import.meta.url), 'utf8');
    const named = new Set([...sql.matchAll(/\bon ([a-z_]+)\s+(?:to|from)\b/g)].map(([, table]) => table));
    const tables = await query.column<string>(
      database.db,
      "select tablename from pg_tables where schemaname = 'public'",
    );
    const forgotten = tables.filter((name) => !named.has(name));
    assert.deepEqual(forgotten, []);
  });

  it('allow function calls only to the roles that grants.sql names', async () => {
    const { db } = database;
    await query(db, `create function made_later() returns int language sql as 'select 1'`);
    atEnd(() => query(db, 'drop function made_later()'));
    await query(db, 'grant execute on function made_later() to gatehouse_core');
    await applyGrants(db);
    const sql = readFileSync(new URL('./grants.sql', import.meta.url), 'utf8');
    const callable = `select p.proname || ' ' || r.rolname
       from pg_proc p, pg_roles r
       where p.pronamespace = 'public'::regnamespace and r.rolname = any(?)
         and has_function_privilege(r.oid, p.oid, 'execute')
         and not exists (
           select from pg_depend d
           where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;
    const services = SERVICES.map((service) => `gatehouse_${service.replace('-', '_')}`);
    const found = await query.column<string>(db, callable, [services]);
    const given = sql.split(';').filter((statement) => /^grant execute on function /m.test(statement));
    const expected = given.flatMap((statement) => {
      const [, granted = ''] = statement.split('grant execute on function ');
      const [functions = '', roles = ''] = granted.split(' to ');
      const names = functions.split(/[(), ]/).filter((word) => word.includes('_'));
      return names.flatMap((name) => roles.split(',').map((role) => `${name.trim()} ${role.trim()}`));
    });
    assert.ok(expected.includes('applied_migrations gatehouse_portal'));
    assert.deepEqual(found.toSorted(), expected.toSorted());
    await assert.rejects(query(as.core, 'select made_later()'), { code: '42501' });
  });

  it('are revoked if grants.sql no longer grants them', async () => {
    const { db } = database;
    await query(db, 'grant all on account to gatehouse_mail_worker');
    await query(db, 'grant select (code_hash) on account_code to gatehouse_mail_worker');
    await query(db, 'grant select on audit to public');
    await applyGrants(db);
    for (const statement of ['select email from account', 'select code_hash from account_code'])
      await assert.rejects(query(as['mail-worker'], statement), { code: '42501' });
    await assert.rejects(query(as.core, 'select id from audit'), { code: '42501' });
  });

  it('are never missing while they are granted again', async () => {
    let isOver = false;
    const reading = (async () => {
      while (!isOver) await query(as.core, 'select id from account limit 1');
    })();
    for (let time = 0; time < 5; time += 1) await applyGrants(database.db);
    isOver = true;
    await reading;
  });

  it('can be granted by an owner who is no superuser, where a superuser has taken the server’s', async () => {
    const name = `owner_${randomBytes(6).toString('hex')}`;
    const { db } = database;
    await query(db, `create role ${name} login password '${name}'`);
    await query(db, `create database ${name} owner ${name}`);
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    const superuser = connectDb({ url: url.href, applicationName: 'rights', poolMax: 1 });
    await revokeServerFunctions(superuser);
    await superuser.destroy();
    [url.username, url.password] = [name, name];
    const owner = connectDb({ url: url.href, applicationName: 'rights', poolMax: 2, hasLongTimeouts: true });
    atEnd(async () => {
      await owner.destroy();
      await query(db, `drop database ${name} with (force)`);
      await query(db, `drop role ${name}`);
    });
    await migrate(owner);
    await applyGrants(owner);
    const may = "select has_table_privilege('gatehouse_core', 'account', 'select')";
    assert.equal(await query.value(owner, may), true);
  });

  it('create logins without passwords in statements', async () => {
    const prefix = `login_${randomBytes(6).toString('hex')}`;
    const login = `${prefix}_mail_worker`;
    const password = "it's 100% %I \\ $1?".replaceAll(' ', '_');
    const { db } = database;
    atEnd(() => query(db, `drop role if exists ${login}`));
    await ensureLogins(db, prefix, { 'mail-worker': 'an-earlier-password' });
    await ensureLogins(db, prefix, { 'mail-worker': password });
    const sql = 'select rolpassword, rolsuper, rolcreaterole from pg_authid where rolname = ?';
    type Kept = { rolpassword: string; rolsuper: boolean; rolcreaterole: boolean };
    const [kept] = await query<Kept>(db, sql, [login]);
    assert.match(kept?.rolpassword ?? '', /^SCRAM-SHA-256\$4096:/);
    assert.deepEqual([kept?.rolsuper, kept?.rolcreaterole], [false, false]);
    const url = new URL(database.url);
    [url.username, url.password] = [login, encodeURIComponent(password)];
    const own = connectDb({ url: url.href, applicationName: 'rights', poolMax: 1 });
    await query(own, 'select id from mail_delivery');
    await assert.rejects(query(own, 'select email from account'), { code: '42501' });
    await own.destroy();
  });

  it('refuse a password that needs normalization', () =>
    assert.rejects(ensureLogins(database.db, 'login', { core: 'pässwörter' }), /printable ASCII/));

  it('can be given, with passwords, by several processes at once', async () => {
    const all = Array.from({ length: 5 }, () => database.connect({ hasLongTimeouts: true }));
    const password = () => randomBytes(12).toString('hex');
    const passwords = Object.fromEntries(SERVICES.map((service) => [service, password()]));
    atEnd(async () => {
      for (const service of SERVICES)
        await query(database.db, `drop role if exists ${loginOf('several', service)}`);
    });
    await Promise.all(all.map(applyGrants));
    for (let round = 0; round < 5; round += 1)
      await Promise.all(all.map((db) => ensureLogins(db, 'several', passwords)));
  });
});
