import assert from 'node:assert/strict';
import { codeIn, PASSWORD, someAddress, someEmail } from '@gatehouse/accounts/testing';
import { checkCode, checkPassword, mailCode } from '@gatehouse/accounts';
import { readCode } from '@gatehouse/auth-core';
import { accounts, inTransaction, passwordProofs, query, type Account } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { emailKey } from '@gatehouse/schema';
import { connectRedis } from '@gatehouse/session-cache';
import { v7 as newId } from 'uuid';
import { startPortal, type TestPortal } from './testing/index.ts';

/** An attacker who has taken over Portal has its Postgres role and its keys, those of `portal.app.service`. */
describe('an attacker with the rights of Portal', () => {
  let portal: TestPortal;
  let victim: Account;
  before(async () => {
    portal = await startPortal();
    const { id } = await portal.newAccount({ role: 'Admin' });
    const account = await accounts.findById(portal.app.db, id);
    assert.ok(account);
    victim = account;
  });
  after(() => portal.stop());
  afterEach(async () => {
    const attempt = { userName: victim.email, password: PASSWORD, addressGroup: someAddress() };
    assert.equal(
      (await checkPassword(portal.app, attempt)).kind,
      'right',
      'the administrator logs in as before',
    );
  });

  const ORIGIN = { traceId: '0'.repeat(32), dueAt: Infinity };
  const refused = (sql: string, values: string[]) =>
    assert.rejects(query(portal.app.service.db, sql, values), { code: '42501' }, sql);

  it('cannot create an administrator or change the credentials of one', async () => {
    const hash = await portal.app.service.passwords.hash('of the attacker');
    const own = await portal.newAccount();
    await refused("update account set role = 'Admin' where id = ?", [own.id]);
    await refused("insert into account (id, email, email_key, role) values (?, 'x', 'x', 'Admin')", [own.id]);
    await refused("update account set password_hash = ?, password_scheme = 'raw' where id = ?", [
      hash,
      victim.id,
    ]);
    await refused("update account set signup = 'invitation' where id = ?", [victim.id]);
    await refused('update account set email = ? where id = ?', [someEmail(), victim.id]);
    await refused('delete from account where id = ?', [victim.id]);
    const change = { proof: hash, passwordHash: hash };
    const { db } = portal.app.service;
    const isChanged = await inTransaction(db, ORIGIN, (tx) =>
      passwordProofs.changePassword(tx, victim.id, change),
    );
    assert.equal(isChanged, false);
  });

  it('cannot change an administrator’s email with a code of its own', async () => {
    const { service } = portal.app;
    const email = someEmail();
    await inTransaction(service.db, ORIGIN, (tx) =>
      mailCode(service, tx, { ...victim, email }, 'change-email', ORIGIN),
    );
    const typed = codeIn(await portal.app.mailsTo(email));
    const attempt = { account: victim, purpose: 'change-email', typed, addressGroup: someAddress() } as const;
    assert.equal((await checkCode(service, attempt)).kind, 'right', 'the code itself is right');
    const finished = await inTransaction(service.db, ORIGIN, (tx) =>
      passwordProofs.finishEmailChange(tx, victim.id, emailKey(email)),
    );
    assert.equal(finished, 'unasked');
    const now = await accounts.findById(portal.app.db, victim.id);
    assert.equal(now?.email, victim.email);
  });

  it('cannot create a password reset code: it cannot store one, and its key does not match Core’s', async () => {
    const { app } = portal;
    const make = inTransaction(app.service.db, ORIGIN, (tx) =>
      mailCode(app.service, tx, victim, 'reset', ORIGIN),
    );
    await assert.rejects(make, { code: '42501' });
    await inTransaction(app.db, ORIGIN, (tx) => mailCode(app, tx, victim, 'reset', ORIGIN));
    const symbols = readCode(codeIn(await app.mailsTo(victim.email))) ?? '';
    const binding = { purpose: 'reset', accountId: victim.id, email: emailKey(victim.email) };
    const sql = 'select code_hash as hash from account_code where account_id = ? and purpose = ?';
    const [kept] = await query<{ hash: Buffer }>(app.service.db, sql, [victim.id, 'reset']);
    assert.ok(kept);
    assert.ok(app.codes.equal(kept.hash, app.codes.hash(binding, symbols)));
    assert.ok(!app.codes.equal(kept.hash, app.service.codes.hash(binding, symbols)));
    await refused("update account_code set tries_left = 500, tries = '{}' where account_id = ?", [victim.id]);
  });

  it('cannot sign an access token or create a refresh token', async () => {
    const { app } = portal;
    const { sessionId } = await portal.login(victim);
    const subject = { accountId: victim.id, sessionId, role: victim.role };
    await assert.rejects(async () => app.service.tokens.sign(subject));
    const { refreshTokens } = app.service;
    const forged = refreshTokens.issue(sessionId, refreshTokens.newNonce());
    assert.equal(app.refreshTokens.read(forged), undefined);
    await refused('select refresh_current from user_session where id = ?', [sessionId]);
  });

  it('can delete and create guests only, so that no user’s address is reassigned', async () => {
    const { db } = portal.app.service;
    const user = await portal.newAccount();
    await refused('delete from account where id = ?', [user.id]);
    await refused("update account set role = 'Guest' where id = ?", [user.id]);
    const sql =
      "insert into account (id, email, email_key, role, signup) values (?, ?, ?, 'User', 'invitation')";
    await refused(sql, [newId(), 'x', 'x']);
    const guest = await portal.newAccount({ role: 'Guest' });
    await query(db, 'delete from account where id = ?', [guest.id]);
  });

  it('cannot revive, open or reassign sessions', async () => {
    const { sessionId } = await portal.login(victim);
    await query(
      portal.app.db,
      'update user_session set status = 4, ended_at = now(), version = version + 1 where id = ?',
      [sessionId],
    );
    await refused('update user_session set status = 1, ended_at = null where id = ?', [sessionId]);
    const alone = query(portal.app.service.db, 'update user_session set status = 1 where id = ?', [
      sessionId,
    ]);
    await assert.rejects(alone, { constraint: 'user_session_ended' });
    const other = await portal.newAccount();
    await refused('update user_session set account_id = ? where id = ?', [other.id, sessionId]);
    await refused("update user_session set expires_at = now() + interval '1 year' where id = ?", [sessionId]);
    await refused('insert into user_session select * from user_session where id = ?', [sessionId]);
  });

  it('cannot create a static token or link an identity', async () => {
    await refused("insert into api_token (id, name, role) values (?, 'x', 'Admin')", [victim.id]);
    await refused('update api_token set revoked_at = null where id = ?', [victim.id]);
    await refused('insert into sso_identity (account_id) values (?)', [victim.id]);
    await refused('update sso_identity set account_id = ?', [victim.id]);
    await refused('insert into sso_attempt (digest, expires_at) values (?::text::bytea, now())', ['x']);
  });

  it('cannot see or block requests for codes', async () => {
    await refused('select * from reset_request where email_key = ?', [victim.email]);
    await refused('delete from reset_request where email_key = ?', [victim.email]);
    await refused("insert into reset_request (id, email_key, trace_id) values (?, 'x', '0')", [newId()]);
  });

  it('cannot read or change the audit', async () => {
    await refused('select * from audit where target_id = ?', [victim.id]);
    await refused('delete from audit where target_id = ?', [victim.id]);
    await refused('select reason from session_event where account_id = ?', [victim.id]);
    await refused('select changed_by from session_event where account_id = ?', [victim.id]);
    await refused('delete from session_event where account_id = ?', [victim.id]);
  });

  it('cannot change events of others', async () => {
    const { app } = portal;
    await inTransaction(app.db, ORIGIN, (tx) => mailCode(app, tx, victim, 'reset', ORIGIN));
    await refused("update outbox set event = jsonb_set(event, '{type}', ?::jsonb)", ['"account.verified"']);
  });

  it('cannot block logins through counters in Redis', async () => {
    const { settings, log } = portal.app;
    const redis = connectRedis({ url: settings.REDIS_URL, log });
    await eventually(() => redis.ping());
    const addressGroup = someAddress();
    const attempt = { userName: victim.email, password: 'a wrong password', addressGroup };
    await checkPassword(portal.app, attempt);
    const keys = await redis.keys(`*{${addressGroup}}*`);
    assert.ok(keys.length > 0);
    for (const value of ['many', '-1e999', '', '9'.repeat(400)]) {
      for (const key of keys) await redis.set(key, value);
      await checkPassword(portal.app, attempt);
    }
    for (const key of keys) await redis.del(key).then(() => redis.lpush(key, 'x'));
    const right = await checkPassword(portal.app, { ...attempt, password: PASSWORD });
    assert.equal(right.kind, 'right');
    await redis.del(...keys);
    redis.disconnect();
  });
});
