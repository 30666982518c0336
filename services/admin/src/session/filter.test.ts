import assert from 'node:assert/strict';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { problem, refusesEach } from '../testing/cast.ts';
import { useSessions } from './testing.ts';

describe('POST /admin/user-session with a Filter', () => {
  const at = useSessions();

  const word = () => `quagga${newId().slice(-12)}`;
  const idsOf = (body: { Items: { Id: string }[] }) => fieldsOf(body.Items, 'Id');
  const newEnded = async (Status: number, displayName: string) => {
    const session = await at.newSession({ displayName });
    await at.change({ SessionId: session.sessionId, Status }).expect(200);
    return session;
  };

  it('changes all active sessions that match every condition, and no others', async () => {
    const Search = word();
    const first = await at.newSession({ displayName: `Mr ${Search.toUpperCase()} x` });
    const second = await at.newSession({ email: `${Search}@example.com` });
    const other = await at.newSession();
    const { body } = await at.change({ Filter: { Search }, Status: 'ChatDisabled' }).expect(200);
    assert.deepEqual([body.Count, idsOf(body)], [2, [second.sessionId, first.sessionId]]);
    for (const one of [first, second]) assert.equal(await at.pingOf(one), 2);
    assert.equal(await at.pingOf(other), 1);

    const narrow = { Search, UserId: first.person.id, Status: 2 };
    assert.equal((await at.change({ Filter: narrow, Status: 4 }).expect(200)).body.Count, 1);
    assert.equal(await at.bearerOf(first), 'session_deactivated');
    assert.equal(await at.bearerOf(second), 'active');
    // An ended session belongs to no one.
    assert.equal((await at.change({ Filter: { Search }, Status: 7 }).expect(200)).body.Count, 1);
    assert.equal(await at.statusOf(first.sessionId), 4);
  });

  it('refuses filters that could match everybody, and changes nothing', async () => {
    const session = await at.newSession();
    const changes = () => at.sql('select count(*) as n from session_event');
    const before = await changes();
    const [UserId, SessionId] = [session.person.id, session.sessionId];
    const wrong: (readonly [given: object, pointer: string])[] = [
      [{}, '/SessionId'],
      [{ Filter: {} }, '/Filter'],
      [{ Filter: { Search: ' @ ' } }, '/Filter/Search'],
      [{ SessionId, UserId }, '/SessionId'],
      [{ SessionId, Filter: { UserId } }, '/SessionId'],
      [{ UserId, Filter: { UserId } }, '/SessionId'],
      [{ SessionId: null, UserId: null }, '/SessionId'],
      [{ SessionId, Reason: 'x'.repeat(201) }, '/Reason'],
      ...[0, 9, undefined].map((Status) => [{ SessionId, Status }, '/Status'] as const),
    ];
    await refusesEach((given) => at.change({ Status: 4, ...given }), wrong);
    assert.deepEqual(await changes(), before);
    assert.equal(await at.bearerOf(session), 'active');
  });

  it('changes thousands in one request, and refuses too many', async () => {
    const Search = word();
    const person = await at.member({ displayName: Search });
    const insertUserSession = `insert into user_session (id, account_id, status, is_exclusive, refresh_current,
      refresh_next, expires_at)
         select gen_random_uuid(), ?, 1, false, '\\x00', '\\x00', now() + interval '1 day'
         from generate_series(1, ?)`;
    const fill = (count: number) => at.sql(insertUserSession, [person.id, count]);
    await fill(3000);
    const Filter = { Search };
    const { body } = await at.change({ Filter, Status: 4, DryRun: true }).expect(200);
    assert.deepEqual([body.Count, body.Items.length], [3000, 200]);
    assert.equal((await at.change({ Filter, Status: 4 }).expect(200)).body.Count, 3000);
    assert.equal((await at.change({ Filter, Status: 4 }).expect(200)).body.Count, 0);

    await fill(5001);
    for (const target of [{ Filter }, { UserId: person.id }])
      await at.change({ ...target, Status: 4 }).expect(problem('conflict'));
    assert.equal((await person.sessions()).length, 5001);
  });

  for (const [Status, bearer] of [
    [3, 'session_replaced'],
    [4, 'session_deactivated'],
    [7, 'session_expired'],
    [8, 'invite_deleted'],
  ] as const)
    it(`finds sessions that ended as ${Status}, and no others`, async () => {
      const Search = word();
      const meant = await newEnded(Status, Search);
      const other = await newEnded(Status === 4 ? 3 : 4, Search);
      const active = await at.newSession({ displayName: Search });
      const elsewhere = await newEnded(Status, word());
      const before = await at.show(meant.sessionId);

      const Filter = { Search, Status };
      const { body: same } = await at.change({ Filter, Status }).expect(200);
      assert.deepEqual([same.Count, idsOf(same)], [1, [meant.sessionId]]);
      assert.equal(await at.bearerOf(meant), bearer);
      assert.equal((await at.show(meant.sessionId)).History.length, before.History.length + 1);

      const to = Status === 7 ? 4 : 7;
      const { body } = await at.change({ Filter, Status: to, Reason: 'as asked' }).expect(200);
      assert.deepEqual([body.Count, body.Items[0].Status], [1, to]);
      assert.equal(await at.pingOf(meant), to === 7 ? 3 : 4);
      const after = await at.show(meant.sessionId);
      assert.equal(after.EndedAt, before.EndedAt, 'it ended when it ended');
      const { Status: last, Reason, ChangedBy } = after.History.at(-1);
      assert.deepEqual([last, Reason, ChangedBy], [to, 'as asked', at.boss.id]);

      assert.equal((await at.change({ Filter, Status: to }).expect(200)).body.Count, 0);
      assert.equal(await at.statusOf(other.sessionId), Status === 4 ? 3 : 4);
      assert.equal(await at.statusOf(elsewhere.sessionId), Status);
      assert.equal(await at.bearerOf(active), 'active');
    });

  it('leaves one active session per account, the newest possible', async () => {
    const Search = word();
    const person = await at.member({ displayName: Search });
    const ended = async () => {
      const session = await at.login(person);
      await at.change({ SessionId: session.sessionId, Status: 4 }).expect(200);
      return session;
    };
    const [oldest, middle, tooOld] = [await ended(), await ended(), await ended()];
    await at.sql('update user_session set expires_at = now() where id = ?', [tooOld.sessionId]);
    const current = await at.login(person);

    const { body } = await at.change({ Filter: { Search, Status: 4 }, Status: 1 }).expect(200);
    assert.deepEqual([body.Count, idsOf(body)], [1, [middle.sessionId]]);
    assert.deepEqual(await person.sessions(), [middle.sessionId]);
    assert.equal(await at.pingOf(middle), 1);
    for (const one of [oldest, tooOld]) assert.equal(await at.statusOf(one.sessionId), 4);
    assert.equal((await at.show(oldest.sessionId)).History.length, 2, 'what stays is told of nowhere');
    assert.equal(await at.bearerOf(current), 'session_replaced');
  });

  it('finds no ended session online, and none pending', async () => {
    const Search = word();
    const { sessionId } = await newEnded(4, Search);
    for (const [filter, expected] of [
      [{ Search, Status: 4, IsOnline: false }, [sessionId]],
      [{ Search, Status: 4, IsOnline: true }, []],
      [{ Status: 6 }, []],
    ] as const) {
      const { body } = await at.change({ Filter: filter, Status: 1, DryRun: true }).expect(200);
      assert.deepEqual(idsOf(body), expected);
    }
  });
});
