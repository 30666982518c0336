import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connectDb, query, type Db } from '../postgres/connect.ts';
import { applyGrants, ensureLogins, loginOf, revokeServerFunctions, SERVICES } from './grants.ts';
import type { ServiceName } from './grants.ts';
import { migrate } from './migrate.ts';
import { during, endings, insertRow, testDatabase } from '../testing/index.ts';

function statements(script: string): string[] {
  return script.split(';').map((statement) => statement.trim());
}

/** Statements that must fail for every role: services own no tables, and records cannot be changed. */
const FORBIDDEN_TO_ALL = statements(`
  create table mine (id int); create temporary table mine (id int); create schema mine;
  create view mine as select 1; create function mine() returns int language sql as 'select 1';
  create extension pgcrypto; create role somebody; alter table account add column mine int;
  alter table audit disable trigger all; drop table account; truncate login_throttle;
  create index on account (locale); set role postgres; select name from migration; select lo_create(0);
  select lo_creat(-1); select lo_from_bytea(0, 'x'); select lo_put(1, 0, 'x');
  select pg_advisory_lock(1); select pg_try_advisory_lock_shared(1, 2);
  insert into late_mail_check values (gen_random_uuid(), now()); select * from forgetting;
  insert into forgetting (transaction_id) values (pg_current_xact_id()); update audit set details = '{}';
  update audit set ip_address = null;
  delete from audit; update session_event set reason = reason; update sign_in set reason = reason;
  delete from sign_in; delete from session_event; delete from user_session;
  update user_session set account_id = account_id; update user_session set expires_at = now();
  delete from api_token; update api_token set token_hash = token_hash; update api_token set role = role`);

/** Statements that must fail for Core and Portal, as only administrators may do this. */
const FORBIDDEN_TO_CORE_AND_PORTAL = statements(`
  update account set session_limit = 20; update user_session set slot = slot;
  insert into account (id, email, email_key, role) values (gen_random_uuid(), 'x', 'x', 'Admin');
  update account set role = 'Admin'; update account set is_disabled = false;
  update account set two_factor_required = false; update account set created_at = now();
  select action from audit; insert into api_token default values;
  update api_token set revoked_at = null; insert into content_definition default values;
  update content_definition set owner_id = null; delete from content_definition;
  update sso_identity set account_id = null; update identity_link set issuer = null;
  select email from mail_delivery; select reason from session_event;
  select changed_by from session_event`);

const FORBIDDEN_TO_ALL_BUT_ADMIN = statements(`
  select forget_sessions(400, 1); select forget_session_events(400, 1); select forget_audit(400, 1);
  select forget_sign_ins(400, 1)`);

const FORBIDDEN: Record<ServiceName, string[]> = {
  core: [
    ...FORBIDDEN_TO_CORE_AND_PORTAL,
    ...FORBIDDEN_TO_ALL_BUT_ADMIN,
    ...statements(`
      update account set expires_at = null; insert into invitation default values;
      insert into content_access default values; update email_change set account_id = account_id`),
    // Only Portal can say which guest has just accepted an invitation.
    'insert into guest_login (code_hash) values (null)',
    // Core makes clients of documents that the hook worker has fetched, and of nothing else.
    ...statements(`
      insert into oauth_client default values; update oauth_client set is_trusted = is_trusted;
      delete from oauth_client; update client_document set body = body;
      select answer_client_document('', '', '', 0)`),
    // Without the mailed code or link of its owner, Core can neither close an account nor reopen it.
    ...statements(`
      insert into erasure (id) values (gen_random_uuid()); update erasure set restored_at = null;
      update erasure set restored_at = now(); update erasure set restore_hash = null;
      select restore_hash from erasure`),
  ],
  // What Portal may write is compared with a list, and tried (packages/e2e/src/roles/written-by-portal.test.ts).
  portal: [
    ...FORBIDDEN_TO_CORE_AND_PORTAL,
    ...FORBIDDEN_TO_ALL_BUT_ADMIN,
    ...statements(`
      select password_hash from account; select a from account a; select code_hash from account_code;
      select former_email from email_change; select name from person; select secret_sealed from two_factor;
      select code_hash from recovery_code; select code_hash from login_code;
      select request_hash from login_code_request; select code_hash from guest_login;
      select refresh_current from user_session; select refresh_next from user_session;
      select secret_sealed from two_factor_challenge; select token_hash from two_factor_challenge;
      select token_hash from session_take_over`),
  ],
  admin: statements(`
    insert into login_code (id) values (gen_random_uuid()); select code_hash from login_code;
    insert into guest_login (code_hash) values (null); select token_hash from email_change;
    insert into email_change (token_hash) values (null); select name from person;
    insert into face default values; delete from api_token; insert into mail_delivery default values;
    update mail_delivery set event = event; insert into hook_delivery default values;
    update hook_delivery set body = body; delete from hook_delivery;
    update user_session set refresh_current = refresh_current; update client_session set ends_at = null`),
  'hook-worker': [
    ...FORBIDDEN_TO_ALL_BUT_ADMIN,
    ...statements(`
      select id from account; select id from user_session; select event from outbox;
      insert into outbox default values; select event from mail_delivery;
      insert into webhook default values; delete from webhook; update webhook set url = url;
      update webhook set secret = secret; select created_at from webhook;
      insert into hook_delivery (client_id) values (null);
      update hook_delivery set session_id = session_id;
      update hook_delivery set logout_token = logout_token; select secret_hash from oauth_client;
      update oauth_client set redirect_uris = redirect_uris; select body from client_document;
      update client_document set body = body;
      insert into client_document (url) values ('https://x.example/');
      select adopt_agent(null, '', '', null, null, null, null); select session_id from client_session;
      select token_hash from api_token; insert into audit default values; select id from erasure`),
  ],
  'mail-worker': [
    ...FORBIDDEN_TO_ALL_BUT_ADMIN,
    ...statements(`
      select email from account; select password_hash from account;
      update account set is_disabled = is_disabled; delete from account;
      select code_hash from account_code; update account_code set tries_left = 5;
      select code_hash from login_code; insert into guest_login (code_hash) values (null);
      select former_email from email_change; select token_hash from invitation; select event from outbox;
      insert into outbox default values; select id from user_session;
      select secret_sealed from two_factor; select token_hash from api_token;
      insert into audit default values; select name from content_definition; select name from person`),
  ],
};

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
