import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { startSessions, type TestSessions } from './testing.ts';

describe('a change of sessions after its preview', () => {
  let at: TestSessions;
  before(async () => {
    at = await startSessions({ SINGLE_SESSION: false });
  });
  after(() => at.stop());

  it('counts the sessions and the accounts, and lists their ids', async () => {
    const Search = `quagga${newId().slice(-12)}`;
    const [one, two] = [
      await at.newSession({ displayName: Search }),
      await at.newSession({ displayName: Search }),
    ];
    const again = await at.login(one.person);
    const { body } = await at.change({ Filter: { Search }, Status: 4, DryRun: true }).expect(200);
    assert.deepEqual(
      [body.Count, body.UserCount, body.Ids],
      [3, 2, [again.sessionId, two.sessionId, one.sessionId]],
    );
    const { body: none } = await at.change({ Filter: { Search: newId() }, Status: 4 }).expect(200);
    assert.deepEqual(none, { Items: [], Count: 0, UserCount: 0, Ids: [] });
  });

  it('reports sessions that others have ended meanwhile', async () => {
    const Search = `quagga${newId().slice(-12)}`;
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () => at.newSession({ displayName: Search })),
    );
    const order = { Filter: { Search }, Status: 4, Reason: 'Ours' };
    const preview = (await at.change({ ...order, DryRun: true }).expect(200)).body;
    const gone = sessions.slice(0, 3).map(({ sessionId }) => sessionId);
    await at.change({ SessionIds: gone, Status: 7 }).expect(200);
    const { body } = await at.change(order).expect(200);
    assert.deepEqual([preview.Count, body.Count], [10, 7]);
    const missing = preview.Ids.filter((id: string) => !body.Ids.includes(id));
    assert.deepEqual(new Set(missing), new Set(gone));
  });

  it('affects only the listed sessions that are still active', async () => {
    const [one, two, three] = [await at.newSession(), await at.newSession(), await at.newSession()];
    await at.change({ SessionId: two.sessionId, Status: 4 }).expect(200);
    const SessionIds = [one.sessionId, two.sessionId, newId()];
    const { body } = await at.change({ SessionIds, Status: 2 }).expect(200);
    assert.deepEqual(body.Ids, [one.sessionId]);
    assert.deepEqual(
      [await at.pingOf(one), await at.statusOf(two.sessionId), await at.pingOf(three)],
      [2, 4, 1],
    );
    assert.equal((await at.change({ SessionIds, Status: 6 }).expect(409)).body.code, 'conflict');
    for (const given of [
      { SessionIds: [] },
      { SessionIds: ['x'] },
      { SessionIds, SessionId: two.sessionId },
    ]) {
      await at.change({ ...given, Status: 4 }).expect(400);
    }
    assert.equal(await at.pingOf(one), 2);
  });
});
