import assert from 'node:assert/strict';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { PATH, useSessions, problem } from './testing.ts';

describe('POST /admin/user-session', () => {
  const at = useSessions();

  for (const [name, pingStatus, bearer] of [
    ['Normal', 1, 'active'],
    ['ChatDisabled', 2, 'active'],
    ['SessionReplaced', 4, 'session_replaced'],
    ['Deactivated', 4, 'session_deactivated'],
    ['SharedAccess', 1, 'active'],
    ['Expired', 3, 'session_expired'],
    ['DeletedInvite', 4, 'invite_deleted'],
  ] as const)
    it(`sets ${name}: the next ping returns ${pingStatus}, the next request ${bearer}`, async () => {
      const session = await at.newSession();
      assert.equal(await at.pingOf(session), 1);
      const [Status, Reason] = [SessionStatus[name], 'as asked'];
      const { body } = await at.change({ SessionId: session.sessionId, Status, Reason }).expect(200);
      assert.equal(await at.pingOf(session), pingStatus);
      assert.equal(await at.bearerOf(session), bearer);
      assert.equal(body.Count, 1);
      // The ping may have changed LastSeenAt.
      const { History, LastSeenAt: _, ...shown } = await at.show(session.sessionId);
      const [{ LastSeenAt: _before, ...item }] = body.Items;
      assert.deepEqual(item, shown);
      assert.equal(shown.Status, Status);
      assert.equal(shown.EndedAt === null, bearer === 'active');
      const { ChangedAt, ...line } = History.at(-1);
      assert.ok(Date.parse(ChangedAt) >= Date.parse(shown.CreatedAt));
      assert.deepEqual(line, { Status, ChangedBy: at.boss.id, Reason });
    });

  it('does not accept invitation statuses', async () => {
    const session = await at.newSession();
    const UserId = session.person.id;
    for (const target of [{ SessionId: session.sessionId }, { UserId }, { Filter: { UserId } }])
      await at.change({ ...target, Status: 6 }).expect(problem('conflict'));
    assert.equal(await at.statusOf(session.sessionId), 1);
  });

  it('overrides an earlier end and a logout, with its own reason', async () => {
    const session = await at.newSession();
    const SessionId = session.sessionId;
    await at.change({ SessionId, Status: 4, Reason: 'logout' }).expect(200);
    assert.equal(await at.pingOf(session), 4);
    const { EndedAt } = await at.show(SessionId);
    await at.sql(`update user_session set end_reason = 'logout' where id = ?`, [SessionId]);
    await at.change({ SessionId, Status: 3 }).expect(200);
    assert.equal(await at.pingOf(session), 4);
    assert.equal(await at.bearerOf(session), 'session_replaced');
    const { History, ...shown } = await at.show(SessionId);
    assert.equal(shown.EndedAt, EndedAt, 'it ended when it ended');
    const found = History.map((line: { Status: number; Reason: string }) => [line.Status, line.Reason]);
    assert.deepEqual(found, [
      [1, 'login'],
      [4, 'logout'],
      [3, 'administrator'],
    ]);
  });

  it('publishes an end once, and every other change', async () => {
    const { sessionId: SessionId, person } = await at.newSession();
    for (const Status of [2, 4, 3, 1]) await at.change({ SessionId, Status, Reason: 'r' }).expect(200);
    const eventData = { UserId: person.id, SessionId, Reason: 'r' };
    const by = { ChangedBy: at.boss.id };
    const [_started, ...changes] = await at.eventsOf(person.id, 'session.%');
    assert.deepEqual(changes, [
      ['session.status-changed', { ...eventData, Status: 2, ...by }],
      ['session.ended', { ...eventData, Status: 4 }],
      ['session.status-changed', { ...eventData, Status: 3, ...by }],
      ['session.status-changed', { ...eventData, Status: 1, ...by }],
    ]);
  });

  it('records who changed what', async () => {
    const { sessionId: SessionId, person } = await at.newSession();
    await at.change({ SessionId, Status: 4, Reason: 'spam' }).expect(200);
    await at.change({ UserId: person.id, Status: 4 }).expect(200);
    const rows = await at.history({ targetId: SessionId }, 'action', 'actorId', 'targetKind', 'details');
    const details = { UserId: person.id, Status: 4, Reason: 'spam' };
    assert.deepEqual(rows, [['user-session.changed', at.boss.id, 'UserSession', details]]);
  });

  it('responds with 404 for an unknown session or account', async () => {
    for (const target of [{ SessionId: newId() }, { UserId: newId() }])
      for (const Status of [1, 4, 6, 8]) await at.change({ ...target, Status }).expect(problem('not_found'));
  });
});

describe('a change of several sessions', () => {
  const at = useSessions({ SINGLE_SESSION: false });

  it('changes every active session of a user, and none that has ended', async () => {
    const person = await at.member();
    const sessions = [await at.login(person), await at.login(person), await at.login(person)];
    const [ended, ...active] = sessions.map(({ sessionId }) => sessionId);
    await at.change({ SessionId: ended, Status: 4 }).expect(200);
    const bystander = await at.newSession();
    const { body } = await at.change({ UserId: person.id, Status: 'chatdisabled' }).expect(200);
    assert.deepEqual([body.Count, body.UserCount, body.Ids], [2, 1, active.toReversed()]);
    assert.deepEqual(fieldsOf(body.Items, 'Id'), body.Ids);
    await at.change({ UserId: person.id, Status: 1 }).expect(200);
    const { body: last } = await at.change({ UserId: person.id, Status: 4 }).expect(200);
    assert.deepEqual(fieldsOf(last.Items, 'Status'), [4, 4]);
    const { body: none } = await at.change({ UserId: person.id, Status: 1 }).expect(200);
    assert.deepEqual(none, { Items: [], Count: 0, UserCount: 0, Ids: [] });
    assert.equal(await at.bearerOf(bystander), 'active');
  });

  it('affects only the listed sessions that are still active', async () => {
    const [one, two, three] = [await at.newSession(), await at.newSession(), await at.newSession()];
    await at.change({ SessionId: two.sessionId, Status: 4 }).expect(200);
    const SessionIds = [one.sessionId, two.sessionId, newId()];
    const { body } = await at.change({ SessionIds, Status: 2 }).expect(200);
    assert.deepEqual(body.Ids, [one.sessionId]);
    const shown = [await at.pingOf(one), await at.statusOf(two.sessionId), await at.pingOf(three)];
    assert.deepEqual(shown, [2, 4, 1]);
    await at.change({ SessionIds, Status: 6 }).expect(problem('conflict'));
  });
});

describe('the administration of sessions with SESSION_SLOTS', () => {
  const at = useSessions({ SESSION_SLOTS: 'web:2,mobile:1' });

  const statusesOf = (sessions: readonly { Token: string; sessionId: string }[]) =>
    Promise.all(sessions.map((session) => at.pingOf(session)));

  it('lists sessions with their tag, and filters by it', async () => {
    const person = await at.member();
    const phone = await at.login(person, { tag: 'mobile' });
    const browser = await at.login(person);
    const find = (tag: string) => at.boss.read(`${PATH}?userId=${person.id}&tag=${tag}&count=true`);
    assert.deepEqual(fieldsOf((await find('mobile')).Items, 'Id', 'Tag'), [[phone.sessionId, 'mobile']]);
    assert.equal((await find('web')).Count, 1);
    assert.deepEqual((await find('tv')).Items, []);
    const Filter = { UserId: person.id, Tag: 'mobile' };
    assert.equal((await at.change({ Filter, Status: 4 }).expect(200)).body.Count, 1);
    assert.deepEqual(await statusesOf([phone, browser]), [4, 1]);
    const { entries } = await at.audit({ targetId: phone.sessionId });
    assert.equal(entries[0]?.details['SessionTag'], 'mobile');
  });

  it('reactivates a session in a slot of its tag, and replaces no session of another', async () => {
    const person = await at.member();
    const [phone, browser] = [await at.login(person, { tag: 'mobile' }), await at.login(person)];
    await at.change({ SessionId: phone.sessionId, Status: 4 }).expect(200);
    const newPhone = await at.login(person, { tag: 'mobile' });
    await at.change({ SessionId: phone.sessionId, Status: 1 }).expect(200);
    assert.deepEqual(await statusesOf([phone, browser, newPhone]), [1, 1, 4]);
  });

  it('gives a reactivated session a free slot, and ends the least recently seen one if there is none', async () => {
    const person = await at.member();
    const [first, second] = [await at.login(person), await at.login(person)];
    await at.change({ SessionId: first.sessionId, Status: 7 }).expect(200);
    const third = await at.login(person);
    await at.change({ SessionId: second.sessionId, Status: 7 }).expect(200);
    await at.change({ SessionId: first.sessionId, Status: 1 }).expect(200);
    assert.deepEqual(await statusesOf([first, second, third]), [1, 3, 1]);
    await at.change({ SessionId: second.sessionId, Status: 1 }).expect(200);
    assert.deepEqual(await statusesOf([first, second, third]), [1, 1, 4]);
    const taken =
      'select tag, slot from user_session where account_id = ? and ended_at is null order by tag, slot';
    const slots = [0, 1].map((slot) => ({ tag: 'web', slot }));
    assert.deepEqual(await at.sql(taken, [person.id]), slots);
  });

  it('changes an account’s own limit', async () => {
    const { id } = await at.member();
    const patch = (SessionLimit: unknown) => at.boss.patch(`/admin/account/${id}`, { SessionLimit });
    for (const limit of [2, null]) assert.equal((await patch(limit).expect(200)).body.SessionLimit, limit);
  });
});
