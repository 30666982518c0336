import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { cast } from '../../testing/cast.ts';

describe('/account/session', () => {
  const { another, app, call, get, login, member, portal, sql } = cast({ SINGLE_SESSION: false });

  const list = async (who: { Token: string }, at = portal()) =>
    (await at.get('/account/session', who).expect(200)).body.Items as Record<string, unknown>[];
  const end = (id: string, who: string | { Token: string }) => call('delete', `/account/session/${id}`, who);

  it('lists active sessions, newest first, and marks the current one', async () => {
    const ann = await member();
    await login(await member());
    const phone = await login(ann, { deviceName: 'Phone', address: '2001:db8::7' });
    const laptop = await login(ann, { userAgent: 'Firefox/140.0' });
    const [first, second, ...more] = await list(phone);
    assert.equal(more.length, 0);
    assert.deepEqual(
      [
        first?.['Id'],
        first?.['IsCurrent'],
        first?.['DeviceName'],
        first?.['UserAgent'],
        first?.['IpAddress'],
      ],
      [laptop.sessionId, false, null, 'Firefox/140.0', null],
    );
    assert.deepEqual(
      [
        second?.['Id'],
        second?.['IsCurrent'],
        second?.['DeviceName'],
        second?.['IpAddress'],
        second?.['Status'],
      ],
      [phone.sessionId, true, 'Phone', '2001:db8::7', 1],
    );
  });

  it('shows which are online by their latest ping', async () => {
    const ann = await member();
    const { sessionId, ...who } = await login(ann);
    const isOnline = async (at = portal()) => (await list(who, at))[0]?.['IsOnline'] === true;
    assert.ok(!(await isOnline()));
    await app().sessionCache.touch(ann.id, sessionId);
    assert.ok(await isOnline());
    const hasty = await another({ ONLINE_WINDOW_SECONDS: 1 });
    await eventually(async () => !(await isOnline(hasty)));
    assert.ok(await isOnline());
    await eventually(async () => {
      await app().sessionCache.touch(ann.id, sessionId);
      return await isOnline(hasty);
    });
  });

  it('ends one session like a logout, and keeps the others', async () => {
    const ann = await member();
    const phone = await login(ann);
    const laptop = await login(ann);
    await end(phone.sessionId, laptop).expect(204);
    const refused = await get('/account/profile', phone).expect(401);
    assert.equal(refused.body.code, 'session_ended');
    assert.deepEqual(
      (await list(laptop)).map(({ Id }) => Id),
      [laptop.sessionId],
    );
    const [row] = await sql<{ status: number; end_reason: string }>(
      'select status, end_reason from user_session where id = ?',
      [phone.sessionId],
    );
    assert.deepEqual(row, { status: 7, end_reason: 'logout' });
    await end(laptop.sessionId, laptop).expect(204);
    await get('/account/session', laptop).expect(401);
  });

  it('ends a session once, with one entry in the audit, with concurrent requests', async () => {
    const ann = await member();
    const mine = await login(ann);
    const other = await login(ann);
    const answers = await Promise.all(Array.from({ length: 10 }, () => end(other.sessionId, mine)));
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    assert.equal(answers.filter(({ status }) => status === 404).length, 9);
    assert.equal((await sql('select id from audit where target_id = ?', [other.sessionId])).length, 1);
  });
});
