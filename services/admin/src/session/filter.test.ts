import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { useSessions, type Item } from './testing.ts';

describe('POST /admin/user-session with a Filter', () => {
  const at = useSessions();

  const word = () => `quagga${newId().slice(-12)}`;

  it('changes all active sessions that match every condition, and no others', async () => {
    const Search = word();
    const named = [
      await at.newSession({ displayName: `Mr ${Search.toUpperCase()} x` }),
      await at.newSession({ email: `${Search}@example.com` }),
    ];
    const [first, second] = named;
    assert.ok(first && second);
    const other = await at.newSession();
    const { body } = await at.change({ Filter: { Search }, Status: 'ChatDisabled' }).expect(200);
    assert.equal(body.Count, 2);
    assert.deepEqual(
      body.Items.map(({ Id }: Item) => Id),
      [second.sessionId, first.sessionId],
    );
    for (const one of named) assert.equal(await at.pingOf(one), 2);
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
    const UserId = session.person.id;
    const SessionId = session.sessionId;
    for (const [given, pointer] of [
      [{}, '/SessionId'],
      [{ Filter: {} }, '/Filter'],
      [{ Filter: { userId: UserId } }, '/Filter/userId'],
      [{ Filter: { UserId: null } }, '/Filter/UserId'],
      [{ Filter: { Search: '    ' } }, '/Filter/Search'],
      [{ Filter: { Search: '%' } }, '/Filter/Search'],
      [{ Filter: { Search: ' @ ' } }, '/Filter/Search'],
      [{ SessionId, UserId }, '/SessionId'],
      [{ SessionId, Filter: { UserId } }, '/SessionId'],
      [{ UserId, Filter: { UserId } }, '/SessionId'],
      [{ SessionId: null, UserId: null }, '/SessionId'],
      [{ SessionId, Reason: 'x'.repeat(201) }, '/Reason'],
    ] as const) {
      const { body } = await at.change({ Status: 4, ...given }).expect(400);
      assert.equal(body.code, 'invalid_request');
      assert.equal(body.errors[0].pointer, pointer, JSON.stringify(given));
    }
    for (const Status of [0, 9, undefined]) {
      assert.equal((await at.change({ SessionId, Status }).expect(400)).body.errors[0].pointer, '/Status');
    }
    assert.deepEqual(await changes(), before);
    assert.equal(await at.bearerOf(session), 'active');
  });

  it('escapes wildcards in searches', async () => {
    const name = word();
    const session = await at.newSession({ displayName: `${name} 100%_off\\` });
    const { sessionId, person } = await at.newSession({ displayName: `${name} 1000 off` });
    const Status = 2;
    for (const Search of ['100%_off', '100%_OFF\\']) {
      const { body } = await at.change({ Filter: { Search }, Status, DryRun: true }).expect(200);
      assert.deepEqual(
        body.Items.map(({ Id }: Item) => Id),
        [session.sessionId],
      );
    }
    const both = { Search: '%%%', UserId: person.id };
    assert.equal((await at.change({ Filter: both, Status }).expect(200)).body.Count, 0);
    assert.equal(await at.statusOf(sessionId), 1);
  });

  it('changes thousands in one request, and refuses too many', async () => {
    const Search = word();
    const person = await at.newAccount({ displayName: Search });
    const fill = (count: number) =>
      at.sql(
        `insert into user_session (id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at)
         select gen_random_uuid(), ?, 1, false, '\\x00', '\\x00', now() + interval '1 day'
         from generate_series(1, ?)`,
        [person.id, count],
      );
    await fill(3000);
    const Filter = { Search };
    const { body } = await at.change({ Filter, Status: 4, DryRun: true }).expect(200);
    assert.deepEqual([body.Count, body.Items.length], [3000, 200]);
    assert.equal((await at.change({ Filter, Status: 4 }).expect(200)).body.Count, 3000);
    assert.equal((await at.change({ Filter, Status: 4 }).expect(200)).body.Count, 0);

    await fill(5001);
    for (const target of [{ Filter }, { UserId: person.id }]) {
      assert.equal((await at.change({ ...target, Status: 4 }).expect(409)).body.code, 'conflict');
    }
    const sql = 'select id from user_session where account_id = ? and ended_at is null';
    assert.equal((await at.sql(sql, [person.id])).length, 5001);
  });
});
