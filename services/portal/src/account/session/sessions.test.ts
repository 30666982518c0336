import assert from 'node:assert/strict';
import { atOnce, statusesOf } from '@gatehouse/accounts/testing';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { cast, problem } from '../../testing/cast.ts';

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
    const shown = ['Id', 'IsCurrent', 'DeviceName', 'UserAgent', 'IpAddress', 'Status'];
    assert.deepEqual(fieldsOf(await list(phone), ...shown), [
      [laptop.sessionId, false, null, 'Firefox/140.0', null, 1],
      [phone.sessionId, true, 'Phone', null, '2001:db8::7', 1],
    ]);
  });

  it('shows which are online by their latest ping', async () => {
    const ann = await member();
    const { sessionId, ...who } = await login(ann);
    const hasty = await another({ ONLINE_WINDOW_SECONDS: 1 });
    const isOnline = async (at = portal()) => (await list(who, at))[0]?.['IsOnline'] === true;
    assert.ok(!(await isOnline()));
    await app().sessionCache.touch(ann.id, sessionId);
    assert.ok(await isOnline());
    await eventually(async () => !(await isOnline(hasty)));
  });

  it('ends one session like a logout, once of ten times at once, and keeps the others', async () => {
    const ann = await member();
    const [phone, laptop] = [await login(ann), await login(ann)];
    const answers = await atOnce(10, () => end(phone.sessionId, laptop));
    assert.deepEqual(statusesOf(answers), [204, ...Array<number>(9).fill(404)]);
    assert.equal((await sql('select id from audit where target_id = ?', [phone.sessionId])).length, 1);
    await get('/account/profile', phone).expect(problem('session_ended'));
    assert.deepEqual(fieldsOf(await list(laptop), 'Id'), [laptop.sessionId]);
    const stored = 'select status, end_reason from user_session where id = ?';
    assert.deepEqual(await sql(stored, [phone.sessionId]), [{ status: 7, end_reason: 'logout' }]);
    await end(laptop.sessionId, laptop).expect(204);
    await get('/account/session', laptop).expect(401);
  });
});

interface Answer {
  Items: Record<string, unknown>[];
  NextCursor?: string;
}

describe('/account/session?ended=true', () => {
  const { call, get, login, member } = cast();

  const list = async (who: { Token: string }, search = ''): Promise<Answer> =>
    (await get(`/account/session?ended=true${search}`, who).expect(200)).body as Answer;

  it('lists ended sessions with time and reason, latest login first, without active ones', async () => {
    const ann = await member();
    const first = await login(ann, { deviceName: 'Phone', address: '2001:db8::7' });
    const second = await login(ann);
    await call('delete', `/account/session/${second.sessionId}`, second).expect(204);
    const third = await login(ann);
    const { Items, NextCursor } = await list(third);
    assert.equal(NextCursor, undefined);
    assert.deepEqual(fieldsOf(Items, 'Id', 'Reason', 'Status', 'IsCurrent'), [
      [second.sessionId, 'logout', 7, false],
      [first.sessionId, 'replaced', 3, false],
    ]);
    assert.deepEqual([Items[1]?.['DeviceName'], Items[1]?.['IpAddress']], ['Phone', '2001:db8::7']);
    assert.ok(Date.parse(String(Items[1]?.['EndedAt'])) >= Date.parse(String(Items[1]?.['CreatedAt'])));
    const active = (await get('/account/session', third).expect(200)).body as Answer;
    assert.deepEqual(fieldsOf(active.Items, 'EndedAt'), [undefined]);
  });

  it('lists no foreign sessions, also with a foreign cursor', async () => {
    const [ann, bob] = [await member(), await member()];
    for (let time = 0; time < 3; time += 1) await login(ann);
    const asAnn = await login(ann);
    const asBob = await login(bob);
    const { NextCursor } = await list(asAnn, '&limit=1');
    assert.deepEqual((await list(asBob)).Items, []);
    assert.deepEqual((await list(asBob, `&cursor=${NextCursor}`)).Items, []);
  });
});
