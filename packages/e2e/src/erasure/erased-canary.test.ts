import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { eraseDueAccounts } from '../../../../services/admin/src/erasure/erase-due.ts';
import { addPasskey, codeIn, newAccount, newContent, PASSWORD } from '@gatehouse/accounts/testing';
import { mailDeliveries, query, type Db } from '@gatehouse/db';
import { insertRow } from '@gatehouse/db/testing';
import type { AnyEvent } from '@gatehouse/events';
import { during, eventually, testLog } from '@gatehouse/runtime/testing';
import { connectRedis } from '@gatehouse/redis';
import { v7 as newId } from 'uuid';
import { startServices } from '../requests/services.ts';

describe('an account with unique values in every field', () => {
  const services = during(() => startServices());

  /** Nobody else's. */
  const ADDRESS = '2001:db8:77:88::99';
  const mark = `zq${randomBytes(6).toString('hex')}`;
  const words = new Set<string>();
  const word = (name: string): string => {
    words.add(`${mark}${name}`);
    return `${mark}${name}`;
  };
  const live = async () => {
    const { adminToken, app, call } = services;
    const email = `${word('first')}@example.com`;
    const { id } = await newAccount(app, { email });
    const headers = { 'user-agent': word('browser'), 'x-forwarded-for': ADDRESS };
    const login = async (Username: string) => {
      const body = { Username, Password: PASSWORD, DeviceName: word('device') };
      return String((await call('POST /account/login', { body, headers })).body['Token']);
    };
    const earlier = await login(email);
    await call('PUT /account/profile', { token: earlier, body: { DisplayName: word('name') } });
    const Email = `${word('second')}@example.com`;
    await call('POST /account/change-email', { token: earlier, body: { Email, Password: PASSWORD } });
    const Code = codeIn(await app.mailsTo(Email));
    await call('POST /account/confirm-email', { token: earlier, body: { Code } });
    const change = { UserId: id, Status: 'Deactivated', Reason: word('reason') };
    const changed = await call('POST /admin/user-session', { token: adminToken, body: change });
    assert.equal(changed.body['Count'], 1, changed.text);
    const wrong = { Username: Email, Password: 'wrong' };
    await call('POST /account/login', { body: wrong, headers });
    await call('POST /account/login', { body: wrong });
    const token = await login(Email);
    await call('POST /account/login', { body: wrong, headers });
    const person = await call('POST /person', { token, body: { Name: newId() } });
    const face = { SourceId: newId(), Similarity: 0.95 };
    const at = `/person/${String(person.body['Id'])}/face`;
    const reported = await call(`POST ${at}`, { token, body: face });
    const review = { FaceMatchType: 4, Reason: word('review') };
    const reviewed = await call(`PUT ${at}/${String(reported.body['Id'])}`, { token, body: review });
    assert.equal(reviewed.status, 200, reviewed.text);
    const invite = { Emails: [Email], ContentDefinitionId: await newContent(app) };
    await call('POST /account/invite-user', { token: adminToken, body: invite });
    await addPasskey(app, id, word('passkey'));
    const identity = { issuer: 'https://idp.example', subject: word('subject'), provider: 'gone' };
    await insertRow(app.db, 'sso_identity', { ...identity, accountId: id });
    await recordMails(id, Email);
    await call('POST /account/forgot-password', { body: { Email } });
    return { id, email: Email, token };
  };

  const recordMails = async (accountId: string, email: string): Promise<void> => {
    const sql = `select event from outbox where event #>> '{data,UserId}' = ?`;
    const events = await query.column<AnyEvent>(services.app.db, sql, [accountId]);
    const event = events.find(({ data }) => 'Mail' in data) ?? assert.fail();
    const mail = { event, kind: 'new-device', accountId, email, fault: `550 no mailbox ${email}` } as const;
    assert.ok(await mailDeliveries.record(services.app.db, mail));
  };

  const wordsIn = (text: string) => [...words, ADDRESS].filter((one) => text.includes(one));

  it('is complete in its export, and nowhere after its erasure', async () => {
    const { adminToken, call } = services;
    const canary = await live();
    const standing = async () => (await call('GET /ping/auth', canary)).status;
    const exported = await call('POST /account/export', { ...canary, body: { Password: PASSWORD } });
    assert.equal(exported.status, 200, exported.text);
    // The account no longer has its first address. The notice that was mailed there would show it; none was recorded.
    const missing = [...words].filter((one) => !exported.text.includes(one));
    assert.deepEqual(missing, [`${mark}first`]);
    assert.ok(exported.text.includes(ADDRESS));
    assert.ok(wordsIn(await dump(services.app.db)).length >= words.size - 1);

    const order = { After: '2020-01-01T00:00:00Z', Reason: word('letter') };
    const ordered = await call(`DELETE /admin/account/${canary.id}`, { token: adminToken, body: order });
    assert.equal(ordered.status, 202, ordered.text);
    assert.equal(await standing(), 401);
    const count = async () => Number((await services.sql('select count(*) as n from audit'))[0]?.['n']);
    const [entries, lines] = [await count(), services.lines().length];
    for (let turn = 0; turn < 3; turn += 1) await eraseDueAccounts(services.admin.app.service);
    assert.equal(await count(), entries + 1);

    assert.deepEqual(wordsIn(await dump(services.app.db)), []);
    assert.deepEqual(wordsIn(await redisText()), []);
    assert.deepEqual(wordsIn(JSON.stringify(services.lines().slice(lines))), []);
    assert.equal(await standing(), 401);
    const again = { Username: canary.email, Password: PASSWORD };
    assert.equal((await call('POST /account/login', { body: again })).status, 404);
  });

  const redisText = async (): Promise<string> => {
    const redis = connectRedis({ url: services.app.settings.REDIS_URL, log: testLog() });
    try {
      await eventually(() => redis.status === 'ready');
      const keys = await redis.keys('*');
      const reads = keys.map(async (key) =>
        (await redis.type(key)) === 'hash' ? JSON.stringify(await redis.hgetall(key)) : await redis.dump(key),
      );
      const values = await Promise.all(reads);
      return [...keys, ...values].join('\n');
    } finally {
      redis.disconnect();
    }
  };
});

async function dump(db: Db): Promise<string> {
  const tables = await query.column<string>(
    db,
    `select tablename from pg_tables where schemaname = 'public'`,
  );
  const rows = tables.map((name) => query.column<string>(db, `select t::text from "${name}" t`));
  return (await Promise.all(rows)).flat().join('\n');
}
