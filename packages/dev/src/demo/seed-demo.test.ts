import assert from 'node:assert/strict';
import { createPasswords } from '@gatehouse/auth-core';
import { mailPublicKeyOf } from '@gatehouse/runtime';
import { audit, query } from '@gatehouse/db';
import { testDatabase, type TestDatabase } from '@gatehouse/db/testing';
import { createUnseal, type AnyEvent } from '@gatehouse/events';
import { testLog } from '@gatehouse/runtime/testing';
import { seed } from '../stack/seed.ts';
import { DEMO_ADMIN_EMAILS, seedDemo } from './seed-demo.ts';

const PEPPER = 'p'.repeat(32);
const MAIL_KEY = 'm'.repeat(32);
const NOW = new Date();

const DIGEST = `select md5(string_agg(email || id || created_at, ' ' order by id)) as accounts,
    (select md5(string_agg(id || status::text, ' ' order by id)) from user_session) as sessions,
    (select md5(string_agg(id || details::text, ' ' order by id)) from audit where actor_id is not null) as entries,
    (select md5(string_agg(image_url, ' ' order by id)) from face) as faces
  from account where email_key like '%@demo.example'`;

describe('the demo data', () => {
  const open: TestDatabase[] = [];
  const newDatabase = async (): Promise<TestDatabase> => {
    const database = await testDatabase();
    open.push(database);
    await seed({ databaseUrl: database.url, pepper: PEPPER, passwords: { admin: 'one', user: 'two' } });
    return database;
  };
  const fill = ({ url }: TestDatabase): Promise<boolean> =>
    seedDemo({
      databaseUrl: url,
      pepper: PEPPER,
      twoFactorKey: 't'.repeat(32),
      mailPublicKey: mailPublicKeyOf(MAIL_KEY),
      password: 'correct horse battery',
      issuer: 'http://127.0.0.1:1',
      now: NOW,
    });
  const count = async ({ db }: TestDatabase, from: string): Promise<number> => {
    return (await query.value<number>(db, `select count(*)::int from ${from}`)) ?? 0;
  };
  let filled: TestDatabase;
  before(async () => {
    filled = await newDatabase();
    assert.equal(await fill(filled), true);
  });
  after(async () => {
    for (const database of open) await database.drop();
  });

  it('have entries of every kind', async () => {
    const least: [string, number][] = [
      ['account', 300],
      [`account where role = 'Admin' and email in (${listOf(DEMO_ADMIN_EMAILS)})`, 3],
      [`account where role = 'Guest'`, 50],
      [`account where signup = 'complete' and email_verified_at is null`, 3],
      ['user_session where ended_at is not null', 200],
      [`sign_in where result = 'Succeeded'`, 100],
      ['invitation where accepted_at is null', 20],
      [`mail_delivery where status = 'Parked' and parked_at > created_at`, 5],
      [`hook_delivery where status = 'Sent'`, 20],
      ['api_token', 5],
      ['login_throttle where blocked_until > now()', 2],
      ['activity', 5000],
      ['person', 20],
      ['face', 400],
    ];
    for (const [from, number] of least) {
      const found = await count(filled, from);
      assert.ok(found >= number, `${from}: ${found}`);
    }
    const kinds = await query(filled.db, 'select distinct kind from content_definition');
    assert.equal(kinds.length, 3);
  });

  it('are consistent', async () => {
    const miscounted = `person p where automatch <> (
        select count(*) from face_match m where m.person_id = p.id and m.type = 1)
      or probable_match <> (select count(*) from face_match m where m.person_id = p.id and m.type = 2)`;
    for (const from of [
      miscounted,
      'user_session where created_at > now() or last_seen_at > now() or last_seen_at < created_at or ended_at < created_at',
      'invitation where accepted_at > now()',
      "mail_delivery where created_at > now() or sent_at > now() + interval '10 seconds'",
      `user_session s where ended_at is null and not exists (
        select from account a where a.id = s.account_id and a.email_verified_at is not null and not a.is_disabled)`,
      'user_session s where not exists (select from session_event e where e.session_id = s.id)',
      `audit where action not in (${listOf(audit.AUDIT_ACTIONS)})`,
    ])
      assert.equal(await count(filled, from), 0, from);
  });

  it('allow login with the printed password, and retrying parked mails', async () => {
    const anyHash = `select password_hash from account
      where email_key like '%@demo.example' and password_hash is not null`;
    const hash = (await query.value<string>(filled.db, anyHash)) ?? '';
    const passwords = createPasswords({ pepper: PEPPER, cost: 4, threads: 1, minLength: 8, log: testLog() });
    const stored = { hash, scheme: 'peppered' } as const;
    assert.ok(await passwords.verify('correct horse battery', stored));
    await passwords.close();
    const sql = `select event from mail_delivery where status = 'Parked'`;
    const [mail] = await query<{ event: AnyEvent }>(filled.db, sql);
    const data = mail?.event.data as { Mail: string };
    const opened = JSON.stringify(createUnseal(MAIL_KEY).open(mail?.event.id ?? '', data.Mail));
    assert.match(opened, /@demo\.example/);
  });

  it('are the same at every run, and made once', async () => {
    const second = await newDatabase();
    assert.equal(await fill(second), true);
    const digest = ({ db }: TestDatabase) => query(db, DIGEST);
    assert.deepEqual(await digest(second), await digest(filled));
    const accounts = await count(second, 'account');
    const rename = `update account set email_key = 'somebody@example.com' where email_key like 'admin.sato%'`;
    await query(second.db, rename);
    assert.equal(await fill(second), false);
    assert.equal(await count(second, 'account'), accounts);
  });

  it('are not added to a database with accounts', async () => {
    const own = await newDatabase();
    const rename = `update account set email = 'ann@example.com', email_key = 'ann@example.com' where role = 'User'`;
    await query(own.db, rename);
    await assert.rejects(fill(own), { name: 'StackError', message: /already/ });
    assert.equal(await count(own, 'account'), 2);
    assert.equal(await count(own, 'person'), 0);
  });
});

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(', ');
}
