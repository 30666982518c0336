import assert from 'node:assert/strict';
import { PASSWORD, someAddress, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { checkPassword } from '@gatehouse/accounts';
import { accounts, query, type Account } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { connectRedis } from '@gatehouse/redis';
import { v7 as newId } from 'uuid';
import { cast } from './testing/cast.ts';

/** An attacker who has taken over Portal has its Postgres role and its keys, those of `app().service`. */
describe('an attacker with the rights of Portal', () => {
  const { app, login, member, sql } = cast({});
  let victim: Account;
  before(async () => {
    const { id } = await member({ role: 'Admin' });
    victim = (await accounts.findById(app().db, id)) ?? assert.fail();
  });
  afterEach(async () => {
    const attempt = { userName: victim.email, password: PASSWORD, addressGroup: someAddress() };
    assert.equal((await checkPassword(app(), attempt)).kind, 'right', 'the administrator logs in as before');
  });

  const refused = (text: string, values: string[]) =>
    assert.rejects(query(app().service.db, text, values), { code: '42501' }, text);

  it('cannot create an administrator or change the credentials of one', async () => {
    const hash = await app().service.passwords.hash('of the attacker');
    const own = await member();
    await refused("insert into account (id, email, email_key, role) values (?, 'x', 'x', 'Admin')", [own.id]);
    const ofAdmin = "update account set password_hash = ?, password_scheme = 'raw' where id = ?";
    await refused(ofAdmin, [hash, victim.id]);
    await refused("update account set signup = 'invitation' where id = ?", [victim.id]);
  });

  it('sets the password of nobody but a guest who waits for it', async () => {
    const hash = await app().service.passwords.hash('of the attacker');
    for (const [role, signup] of [
      ['Admin', 'complete'],
      ['Admin', 'new'],
      ['User', 'complete'],
      ['User', 'new'],
      ['User', 'migration'],
      ['User', 'invitation'],
      ['Guest', 'complete'],
    ] as const) {
      const { id } = await member({ role });
      await sql('update account set signup = ? where id = ?', [signup, id]);
      for (const change of [
        `signup = 'complete', password_hash = '${hash}', password_scheme = 'peppered', email_verified_at = now()`,
        `password_hash = '${hash}'`,
        `signup = 'invitation', password_hash = '${hash}'`,
        'email_verified_at = null',
        'new_password_required = not new_password_required',
      ])
        await refused(`update account set ${change} where id = ?`, [id]);
    }
  });

  it('removes second factors of guests only', async () => {
    const guest = await member({ role: 'Guest' });
    for (const { id } of [victim, guest]) {
      await switchOnTwoFactor(app(), id);
      for (const table of ['two_factor', 'recovery_code']) {
        const statement = `delete from ${table} where account_id = ?`;
        if (id === guest.id) await query(app().service.db, statement, [id]);
        else await refused(statement, [id]);
      }
    }
    await sql('delete from two_factor where account_id = ?', [victim.id]);
  });

  it('cannot report an ended session as active to services that follow the changes', async () => {
    const { sessionId } = await login(victim);
    for (const status of [1, 2, 5])
      await refused(
        `insert into session_event (session_id, account_id, status, reason, token_expires_at)
         values (?, ?, ${status}, 'login', now())`,
        [sessionId, victim.id],
      );
  });

  it('can delete and create guests only, so that no user’s address is reassigned', async () => {
    const { db } = app().service;
    const user = await member();
    await refused('delete from account where id = ?', [user.id]);
    const statement =
      "insert into account (id, email, email_key, role, signup) values (?, ?, ?, 'User', 'invitation')";
    await refused(statement, [newId(), 'x', 'x']);
    const guest = await member({ role: 'Guest' });
    await query(db, 'delete from account where id = ?', [guest.id]);
  });

  it('cannot make a session active whose end it leaves', async () => {
    const { sessionId } = await login(victim);
    const end = 'update user_session set status = 4, ended_at = now(), version = version + 1 where id = ?';
    await sql(end, [sessionId]);
    const alone = query(app().service.db, 'update user_session set status = 1 where id = ?', [sessionId]);
    await assert.rejects(alone, { constraint: 'user_session_ended' });
  });

  it('cannot block logins through counters in Redis', async () => {
    const { settings, log } = app();
    const redis = connectRedis({ url: settings.REDIS_URL, log });
    await eventually(() => redis.ping());
    const addressGroup = someAddress();
    const attempt = { userName: victim.email, password: 'a wrong password', addressGroup };
    await checkPassword(app(), attempt);
    const keys = await redis.keys(`*{${addressGroup}}*`);
    assert.ok(keys.length > 0);
    for (const value of ['many', '-1e999', '', '9'.repeat(400)]) {
      for (const key of keys) await redis.set(key, value);
      await checkPassword(app(), attempt);
    }
    for (const key of keys) await redis.del(key).then(() => redis.lpush(key, 'x'));
    const right = await checkPassword(app(), { ...attempt, password: PASSWORD });
    assert.equal(right.kind, 'right');
    await redis.del(...keys);
    redis.disconnect();
  });
});
