import assert from 'node:assert/strict';
import { readAudit } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { PATH, startSessions, type TestSessions } from './testing.ts';

describe('the administration of sessions with SESSION_SLOTS', () => {
  let at: TestSessions;
  before(async () => {
    at = await startSessions({ SESSION_SLOTS: 'web:2,mobile:1' });
  });
  after(() => at.stop());

  const statusesOf = (sessions: readonly { Token: string; sessionId: string }[]) =>
    Promise.all(sessions.map((session) => at.pingOf(session)));
  const slotsOf = (accountId: string) =>
    query<{ tag: string; slot: number }>(
      at.app.db,
      'select tag, slot from user_session where account_id = ? and ended_at is null order by tag, slot',
      [accountId],
    );

  it('lists sessions with their tag, and filters by it', async () => {
    const person = await at.newAccount();
    const phone = await at.login(person, { tag: 'mobile' });
    const browser = await at.login(person);
    const find = async (tag: string) =>
      (await at.get(`${PATH}?userId=${person.id}&tag=${tag}&count=true`, at.own).expect(200)).body as {
        Items: { Id: string; Tag: string | null }[];
        Count: number;
      };
    assert.deepEqual(
      (await find('mobile')).Items.map(({ Id, Tag }) => [Id, Tag]),
      [[phone.sessionId, 'mobile']],
    );
    assert.equal((await find('web')).Count, 1);
    assert.deepEqual((await find('tv')).Items, []);
    const Filter = { UserId: person.id, Tag: 'mobile' };
    assert.equal((await at.change({ Filter, Status: 4 }).expect(200)).body.Count, 1);
    assert.deepEqual(await statusesOf([phone, browser]), [4, 1]);
  });

  it('reactivates a session in a slot of its tag, and replaces no session of another', async () => {
    const person = await at.newAccount();
    const [phone, browser] = [await at.login(person, { tag: 'mobile' }), await at.login(person)];
    await at.change({ SessionId: phone.sessionId, Status: 4 }).expect(200);
    const newPhone = await at.login(person, { tag: 'mobile' });
    await at.change({ SessionId: phone.sessionId, Status: 1 }).expect(200);
    assert.deepEqual(await statusesOf([phone, browser, newPhone]), [1, 1, 4]);
  });

  it('gives a reactivated session a free slot, and ends the least recently seen one if there is none', async () => {
    const person = await at.newAccount();
    const [first, second] = [await at.login(person), await at.login(person)];
    await at.change({ SessionId: first.sessionId, Status: 7 }).expect(200);
    const third = await at.login(person);
    await at.change({ SessionId: second.sessionId, Status: 7 }).expect(200);
    await at.change({ SessionId: first.sessionId, Status: 1 }).expect(200);
    assert.deepEqual(await statusesOf([first, second, third]), [1, 3, 1]);
    await at.change({ SessionId: second.sessionId, Status: 1 }).expect(200);
    assert.deepEqual(await statusesOf([first, second, third]), [1, 1, 4]);
    assert.deepEqual(await slotsOf(person.id), [
      { tag: 'web', slot: 0 },
      { tag: 'web', slot: 1 },
    ]);
  });

  it('names the tag in the audit', async () => {
    const person = await at.newAccount();
    const { sessionId } = await at.login(person, { tag: 'mobile' });
    await at.change({ SessionId: sessionId, Status: 4 }).expect(200);
    const { entries } = await readAudit(at.app, { targetId: sessionId });
    assert.equal(entries[0]?.details['SessionTag'], 'mobile');
  });

  it('changes an account’s own limit, which applies from the next login on', async () => {
    const person = await at.newAccount();
    const patch = (SessionLimit: unknown) =>
      at.call('patch', `/admin/account/${person.id}`, at.own.Token, { SessionLimit });
    assert.equal((await patch(2).expect(200)).body.SessionLimit, 2);
    const phones = [await at.login(person, { tag: 'mobile' }), await at.login(person, { tag: 'mobile' })];
    assert.deepEqual(await statusesOf(phones), [1, 1]);
    assert.equal((await patch(null).expect(200)).body.SessionLimit, null);
    assert.deepEqual(await statusesOf(phones), [1, 1]);
    const next = await at.login(person, { tag: 'mobile' });
    assert.deepEqual(await statusesOf([...phones, next]), [4, 4, 1]);
    for (const wrong of [0, 21, 1.5, '2', true]) {
      const { body } = await patch(wrong).expect(400);
      assert.equal(body.errors[0].pointer, '/SessionLimit');
    }
  });
});
