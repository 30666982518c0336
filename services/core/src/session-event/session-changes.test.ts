import assert from 'node:assert/strict';
import { query, sessionEvents } from '@gatehouse/db';
import { openEvents, type EventStream } from '@gatehouse/http/testing';
import { endings, eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { during, startCoreWithSessions, problem } from '../testing/index.ts';

interface Change {
  SessionId: string;
  UserId?: string;
  Status: number;
  TokenExpiresAt: string;
  ChangedAt: string;
}

describe('GET /session-event', () => {
  const core = during(() => startCoreWithSessions());
  const atEnd = endings();
  let service: string;
  before(async () => (service = (await core.newToken({ role: 'Feed' })).Token));

  const get = (parameters: string, token = service) =>
    core.http.get(`/session-event?${parameters}`).set(core.bearer(token));
  const read = async (parameters: string, token = service) => {
    const { body } = await get(parameters, token).expect(200);
    return body as { Items: Change[]; NextCursor: string };
  };
  /** Waits for this many changes of these sessions after a cursor. */
  const changesOf = (sessionIds: string[], count: number, parameters: string, token = service) =>
    eventually(async () => {
      const { Items } = await read(`limit=200&${parameters}`, token);
      const found = Items.filter(({ SessionId }) => sessionIds.includes(SessionId));
      return found.length >= count && found;
    });
  const insert = (sessionId: string, status: number, ago = '0', executor = core.app.db) => {
    const sql = `insert into session_event (session_id, account_id, status, reason, token_expires_at, changed_at)
       values (?, ?, ?, 'a test', now(), now() - ?::interval)`;
    return query(executor, sql, [sessionId, newId(), status, ago]);
  };

  it('returns every change to a Feed token, without the account', async () => {
    const person = await core.newAccount();
    const one = await core.login(person);
    const two = await core.login(person);
    const found = await changesOf([one.sessionId, two.sessionId], 3, '');
    assert.deepEqual(fieldsOf(found, 'SessionId', 'Status'), [
      [one.sessionId, 1],
      [one.sessionId, 3],
      [two.sessionId, 1],
    ]);
    for (const item of found) {
      assert.deepEqual(Object.keys(item).toSorted(), ['ChangedAt', 'SessionId', 'Status', 'TokenExpiresAt']);
      const lifetime = Date.parse(item.TokenExpiresAt) - Date.parse(item.ChangedAt);
      assert.equal(lifetime, core.app.settings.ACCESS_TOKEN_SECONDS * 1000);
    }
  });

  it('continues after filtered changes', async () => {
    const { NextCursor: start } = await read('limit=200&ended=true');
    const ended = newId();
    await insert(newId(), 1);
    await insert(ended, 4);
    await insert(newId(), 1);
    const seen: string[] = [];
    let cursor = start;
    // Until the cursor is also past the login after the ending.
    await eventually(async () => {
      const { Items, NextCursor } = await read(`limit=1&ended=true&cursor=${cursor}`);
      seen.push(...Items.map(({ SessionId }) => SessionId));
      cursor = NextCursor;
      return seen.length > 0 && (await read(`cursor=${cursor}`)).Items.length === 0;
    });
    assert.deepEqual(seen, [ended]);
  });

  it('omits an end that was reverted', async () => {
    const { NextCursor: start } = await read('limit=200&ended=true');
    const [revived, ended] = [newId(), newId()];
    await insert(revived, 4);
    await insert(revived, 1);
    await insert(ended, 8);
    const found = await changesOf([revived, ended], 1, `ended=true&cursor=${start}`);
    assert.deepEqual(fieldsOf(found, 'SessionId'), [ended]);
  });

  it('starts with the ends whose tokens may still be valid, if filtered by end', async () => {
    const other = await startCoreWithSessions();
    atEnd(other.stop);
    const { Token } = await other.newToken();
    const long = `${other.app.settings.ACCESS_TOKEN_SECONDS + 90} seconds`;
    const ids = Array.from({ length: 40 }, () => newId());
    // Gaps in the numbers, like those that rolled back transactions leave.
    const { db } = other.app;
    for (const [at, id] of ids.entries()) {
      await insert(id, 4, at < 25 ? long : '5 minutes', db);
      if (at % 3 === 0)
        await query(db, `select nextval('session_event_seq_seq') from generate_series(1, ${at})`);
    }
    const found = await eventually(async () => {
      const asked = other.http.get('/session-event?ended=true&limit=200').set(core.bearer(Token));
      const { body } = await asked.expect(200);
      const items = fieldsOf(body.Items, 'SessionId');
      return items.includes(ids.at(-1) ?? '') && items;
    });
    assert.deepEqual(found, ids.slice(25));
    assert.deepEqual((await sessionEvents.findPositionOfLast(db, 1e9)).seq, '0');
  });

  it('waits for a change that commits late, so that no reader misses it', async () => {
    const { NextCursor: start } = await read('limit=200&ended=true');
    const [late, early] = [newId(), newId()];
    const slow = await core.app.db.transaction();
    await insert(late, 4, '0', slow);
    await insert(early, 4);
    const { Items, NextCursor } = await read(`ended=true&cursor=${start}`);
    await slow.commit();
    assert.deepEqual(Items, []);
    const found = await changesOf([late, early], 2, `ended=true&cursor=${NextCursor}`);
    assert.deepEqual(fieldsOf(found, 'SessionId'), [late, early]);
  });

  for (const [last, earlier] of [
    [4, 1],
    [1, 4],
  ] as const)
    it(`returns the changes of a session in commit order: ${last} after ${earlier}, by a transaction that began earlier`, async () => {
      const { NextCursor: start } = await read('limit=200&ended=true');
      const id = newId();
      const slow = await core.app.db.transaction();
      await query(slow, 'select pg_current_xact_id()');
      await insert(id, earlier);
      await insert(id, last, '0', slow);
      await slow.commit();
      const found = await changesOf([id], 1, `cursor=${start}`);
      assert.deepEqual(fieldsOf(found, 'Status'), [last]);
    });

  it('refuses an invalid cursor', async () => {
    for (const key of [{}, { Transaction: '1' }, { Transaction: "1'", Sequence: '1' }]) {
      const cursor = Buffer.from(JSON.stringify(key)).toString('base64url');
      await get(`cursor=${cursor}`).expect(problem('invalid_request'));
    }
  });

  describe('as a stream', () => {
    const open = async (options: { query?: string; lastId?: string | undefined; token?: string } = {}) => {
      const { query: parameters = '', lastId, token = service } = options;
      const stream = await openEvents(`${core.url}/session-event/stream${parameters}`, {
        ...core.bearer(token),
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      });
      atEnd(() => stream.close());
      return stream;
    };
    /** A stream that has received its start position. */
    const follow = async (options?: Parameters<typeof open>[0]) => {
      const stream = await open(options);
      await eventually(() => stream.lastId !== undefined);
      return stream;
    };
    const sessionsOf = ({ events }: EventStream) => events.map(({ data }) => data['SessionId']);

    it('starts with the present, and sends every change within a second, or ends alone', async () => {
      await insert(newId(), 4);
      const [stream, ends] = [await follow(), await follow({ query: '?ended=true' })];
      const person = await core.newAccount();
      const one = await core.login(person);
      const two = await core.login(person);
      const known = new Set<unknown>([one.sessionId, two.sessionId]);
      // Unsettled changes are sent again, including earlier ones: transactions of other tests delay settling.
      const own = () => stream.events.filter(({ data }) => known.has(data['SessionId']));
      await eventually(() => own().length >= 3, 2);
      assert.deepEqual(
        own().map(({ event, data }) => [event, data['SessionId'], data['Status']]),
        [
          ['active', one.sessionId, 1],
          ['ended', one.sessionId, 3],
          ['active', two.sessionId, 1],
        ],
      );
      await eventually(() => sessionsOf(ends).includes(one.sessionId));
      assert.ok(!sessionsOf(ends).includes(two.sessionId));
      const fields = Object.keys(stream.events[0]?.data ?? {}).toSorted();
      assert.deepEqual(fields, ['ChangedAt', 'SessionId', 'Status', 'TokenExpiresAt']);
    });

    it('sends all missed changes on reconnect', async () => {
      const first = await follow();
      const { lastId: start } = first;
      const seen = newId();
      await insert(seen, 4);
      await eventually(() => sessionsOf(first).includes(seen) && first.lastId !== start);
      const { lastId } = first;
      first.close();
      const missed = Array.from({ length: 450 }, () => newId());
      for (const id of missed) await insert(id, 4);
      const second = await follow({ lastId });
      const later = newId();
      await insert(later, 4);
      await eventually(() => sessionsOf(second).includes(later));
      const known = new Set<unknown>([...missed, later]);
      const got = sessionsOf(second).filter((id) => known.has(id));
      assert.deepEqual([...new Set(got)], [...missed, later]);
    });

    it('returns the account of a session to administrators only', async () => {
      const { Token } = await core.newToken({ role: 'Admin' });
      const stream = await follow({ token: Token });
      const person = await core.newAccount();
      await core.login(person);
      await eventually(() => stream.events.some(({ data }) => data['UserId'] === person.id));
    });

    it('ends for a revoked token', async () => {
      const token = await core.newToken();
      const stream = await follow({ token: token.Token });
      await core.sql('update api_token set revoked_at = now() where id = ?', [token.id]);
      const check = () => core.http.get('/ping/auth').set(core.bearer(token.Token));
      await eventually(async () => (await check()).status === 401);
      const later = newId();
      await insert(later, 4);
      await eventually(() => stream.isOver, 2);
      assert.ok(!sessionsOf(stream).includes(later));
    });

    it('refuses invalid ids', async () => assert.equal((await open({ lastId: 'nonsense' })).status, 400));
  });
});
