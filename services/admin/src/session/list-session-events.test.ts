import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { startSessions, type TestSessions } from './testing.ts';

const EVENTS = '/admin/session-event';

interface Line {
  SessionId: string;
  Status: number;
  Reason: string;
}

describe('GET /admin/session-event', () => {
  let at: TestSessions;
  before(async () => {
    at = await startSessions();
  });
  after(() => at.stop());

  const read = async (cursor?: string, limit = 200) => {
    const from = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { body } = await at.get(`${EVENTS}?limit=${limit}${from}`, at.own).expect(200);
    return body as { Items: Line[]; NextCursor: string };
  };
  /** The position after all existing events, once it can be read: other databases of the server delay it too. */
  const end = () =>
    eventually(async () => {
      const [all] = await query<{ n: number }>(at.app.db, 'select count(*)::int as n from session_event');
      let { Items, NextCursor } = await read();
      let seen = Items.length;
      while (Items.length > 0) {
        ({ Items, NextCursor } = await read(NextCursor));
        seen += Items.length;
      }
      return seen === all?.n && NextCursor;
    });
  /** Waits for this many events after a position. */
  const readAll = (cursor: string, count: number) =>
    eventually(async () => {
      const { Items } = await read(cursor);
      return Items.length >= count && Items;
    });
  const insert = (executor: Parameters<typeof query>[0], reason: string) =>
    query(
      executor,
      `insert into session_event (session_id, account_id, status, reason, token_expires_at)
       values (?, ?, 4, ?, now())`,
      [newId(), newId(), reason],
    );

  it('returns all changes in order, from the oldest', async () => {
    const cursor = await end();
    const one = await at.newSession();
    const two = await at.login(one.person);
    await at.change({ SessionId: two.sessionId, Status: 2, Reason: 'calm down' }).expect(200);
    const items = await readAll(cursor, 4);
    const listed = items.map(({ SessionId, Status, Reason }) => [SessionId, Status, Reason]);
    assert.deepEqual(listed, [
      [one.sessionId, 1, 'login'],
      [one.sessionId, 3, 'replaced'],
      [two.sessionId, 1, 'login'],
      [two.sessionId, 2, 'calm down'],
    ]);
    const fields = Object.keys(items[0] ?? {}).toSorted();
    assert.deepEqual(fields, ['ChangedAt', 'Reason', 'SessionId', 'Status', 'TokenExpiresAt', 'UserId']);
    const { Items: oldest } = await read(undefined, 1);
    assert.equal(oldest[0]?.SessionId, at.own.sessionId, 'the first login there was');
  });

  it('always returns a cursor, and continues there', async () => {
    const cursor = await end();
    const { Items, NextCursor } = await read(cursor);
    assert.deepEqual([Items, NextCursor], [[], cursor]);
    for (let n = 1; n <= 5; n += 1) await insert(at.app.db, `change ${n}`);
    await readAll(cursor, 5);
    const seen: string[] = [];
    let position = cursor;
    for (let page = 0; page < 4; page += 1) {
      const { Items: some, NextCursor: next } = await read(position, 2);
      seen.push(...some.map(({ Reason }) => Reason));
      position = next;
    }
    assert.deepEqual(seen, ['change 1', 'change 2', 'change 3', 'change 4', 'change 5']);
  });
});
