import assert from 'node:assert/strict';
import { connectRedis, type Redis } from '@gatehouse/session-cache';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

describe('a manipulated cached session in Redis', () => {
  let admin: TestAdmin;
  let redis: Redis;
  before(async () => {
    admin = await startAdmin();
    redis = connectRedis({ url: admin.app.settings.REDIS_URL, log: admin.app.log });
    await eventually(() => redis.ping());
  });
  after(async () => {
    redis.disconnect();
    await admin.stop();
  });

  const keyOf = async (sessionId: string): Promise<string> => {
    const packed = Buffer.from(sessionId.replaceAll('-', ''), 'hex').toString('base64url');
    const [key = ''] = await redis.keys(`s:*:${packed}`);
    assert.ok(key !== '');
    return key;
  };

  it('does not grant administrator rights', async () => {
    const { Token, sessionId } = await admin.login(await admin.newAccount());
    await admin.get('/admin/account', Token).expect(403);
    const key = await keyOf(sessionId);
    const copy = String(await redis.get(key));
    assert.match(copy.slice(44), / U /);
    await redis.set(key, copy.replace(' U ', ' A '), 'KEEPTTL');
    await admin.get('/admin/account', Token).expect(403);
  });

  it('restores neither a revoked role nor an ended session', async () => {
    const person = await admin.newAccount({ role: 'Admin' });
    const { Token, sessionId } = await admin.login(person);
    await admin.get('/admin/account', Token).expect(200);
    const key = await keyOf(sessionId);
    const former = String(await redis.get(key));
    await query(admin.app.db, `update account set role = 'User' where id = ?`, [person.id]);
    await redis.set(key, former, 'KEEPTTL');
    await admin.get('/admin/account', Token).expect(403);
    await query(admin.app.db, `update account set role = 'Admin' where id = ?`, [person.id]);
    await admin.get('/admin/account', Token).expect(200);
    await query(admin.app.db, 'update user_session set status = 4, ended_at = now() where id = ?', [
      sessionId,
    ]);
    await redis.set(key, former, 'KEEPTTL');
    assert.equal((await admin.get('/admin/account', Token).expect(401)).body.code, 'session_deactivated');
  });
});
