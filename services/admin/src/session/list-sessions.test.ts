import assert from 'node:assert/strict';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { PATH, useSessions } from './testing.ts';

const EVENTS = '/admin/session-event';
interface Line {
  SessionId: string;
  Status: number;
  Reason: string;
}

describe('GET /admin/user-session', () => {
  const at = useSessions({ SINGLE_SESSION: false });

  const word = () => `okapi${newId().slice(-12)}`;
  type Filter = Record<string, string | number | boolean>;
  const listOf = (filter: Filter) => {
    const asked = Object.entries(filter).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return `${PATH}?${asked.join('&')}`;
  };
  const idsOf = (filter: Filter) => at.boss.ids(listOf(filter));
  const allPages = (filter: Filter, between?: () => Promise<unknown>) =>
    at.boss.pages(listOf(filter), between);

  it('returns a session the same in the list and alone', async () => {
    const person = await at.member({ role: 'Guest', displayName: 'Gina' });
    const origin = { deviceName: 'Phone', userAgent: 'Agent/1', address: '192.0.2.7' };
    const { sessionId, Token } = await at.login(person, origin);
    const content = await at.newContent();
    await at.pingOf({ sessionId, Token }, content);
    // Without Redis for a moment, the ping is shown once Postgres has it.
    const { History, ...shown } = await eventually(async () => {
      const [item] = (await at.boss.read(listOf({ userId: person.id }))).Items;
      const detail = await at.show(sessionId.toUpperCase());
      assert.deepEqual({ ...item, History: detail.History }, detail);
      return detail.IsOnline && detail;
    });
    const { CreatedAt, LastSeenAt, ExpiresAt, ...rest } = shown;
    for (const time of [CreatedAt, LastSeenAt, ExpiresAt])
      assert.match(time, /^\d{4}-[\d-]+T[\d:]+\.\d{3}Z$/);
    assert.deepEqual(rest, {
      ...{ UserId: person.id, Email: person.email, DisplayName: 'Gina', IsGuest: true },
      ...{ Id: sessionId, Status: 5, IsOnline: true, EndedAt: null, ContentDefinitionId: content },
      ...{ DeviceName: 'Phone', UserAgent: 'Agent/1', IpAddress: '192.0.2.7', SsoProvider: null, Tag: null },
    });
    const [{ Status, ChangedBy, Reason }, ...later] = History;
    assert.deepEqual([Status, ChangedBy, Reason, later], [5, person.id, 'login', []]);
  });

  it('shows the latest 500 lines of a long history, oldest first', async () => {
    const { sessionId, person } = await at.newSession();
    const statement = `insert into session_event (session_id, account_id, status, reason, token_expires_at)
       select ?, ?, 2, 'line ' || n, now() from generate_series(1, 600) n order by n`;
    await at.sql(statement, [sessionId, person.id]);
    const { History } = await at.show(sessionId);
    assert.equal(History.length, 500);
    assert.deepEqual([History[0].Reason, History.at(-1).Reason], ['line 101', 'line 600']);
  });

  it('lists each once, newest first, paged, with concurrent changes', async () => {
    const name = word();
    const person = await at.member({ displayName: name });
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.unshift((await at.login(person)).sessionId);
    for (const filter of [{ userId: person.id }, { search: name }, { search: name.slice(3), status: 1 }]) {
      const pages = await allPages({ ...filter, limit: 3 });
      assert.deepEqual(fieldsOf(pages, 'length'), [3, 3, 1]);
      assert.deepEqual(pages.flat(), ids);
      assert.equal((await allPages({ ...filter, limit: 7 })).length, 1, 'a full last page is the last');
    }
    const pages = await allPages({ userId: person.id, limit: 3 }, async () => {
      await at.login(person);
      await at.change({ SessionId: ids[0], Status: 4 }).expect(200);
    });
    assert.deepEqual(pages.flat(), ids);
    const everybody = (await allPages({ limit: 5 })).flat();
    assert.equal(new Set(everybody).size, everybody.length);
    assert.deepEqual(everybody, everybody.toSorted().toReversed());
  });

  it('knows immediately who is online and what they watch', async () => {
    const person = await at.member();
    const [watching, elsewhere] = [await at.login(person), await at.login(person)];
    const [ended, away] = [await at.login(person), await at.login(person)];
    const contentDefinitionId = await at.newContent();
    for (const one of [watching, ended]) assert.equal(await at.pingOf(one, contentDefinitionId), 1);
    await at.pingOf(elsewhere);
    await at.change({ SessionId: ended.sessionId, Status: 4 }).expect(200);
    const userId = person.id;
    const online = [elsewhere.sessionId, watching.sessionId];
    assert.deepEqual(await idsOf({ userId, isOnline: true }), online);
    assert.deepEqual(await idsOf({ userId, isOnline: false }), [away.sessionId, ended.sessionId]);
    assert.deepEqual(await idsOf({ isOnline: true, status: 1, contentDefinitionId }), [watching.sessionId]);
    assert.deepEqual(await idsOf({ isOnline: true, status: 4, userId }), []);
    const meant = async (Filter: object) =>
      (await at.change({ Filter, Status: 2, DryRun: true }).expect(200)).body.Ids;
    assert.deepEqual(await meant({ UserId: userId, IsOnline: true }), online);
    assert.deepEqual(await meant({ UserId: userId, IsOnline: false }), [away.sessionId]);
    assert.deepEqual(await meant({ ContentDefinitionId: contentDefinitionId }), [watching.sessionId]);
    assert.equal((await at.show(ended.sessionId)).IsOnline, false);
  });

  it('finds older sessions by the last-seen time in Postgres, each page in order', async () => {
    const person = await at.member();
    const content = await at.newContent();
    // A session that is a month old and was just seen: ids contain the time of the login.
    const statement = `insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, last_pinged_at,
         content_definition_id)
       select cast('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0') as uuid), ?, 1, false, '\\x00', '\\x00',
         now() + interval '1 day', case when n % 2 = 0 then now() end, ?
       from generate_series(1, 9) n
       returning id`;
    const rows = await at.sql<{ id: string }>(statement, [person.id, content]);
    const fresh = await at.login(person);
    await at.pingOf(fresh, content);
    const old = rows.map(({ id }) => id).toReversed();
    const ofContent = (await allPages({ contentDefinitionId: content, limit: 4 })).flat();
    assert.deepEqual(ofContent, [fresh.sessionId, ...old]);
    const online = old.filter((_id, index) => index % 2 === 1);
    for (const filter of [{ userId: person.id }, { contentDefinitionId: content }]) {
      const found = (await allPages({ ...filter, isOnline: true, limit: 2 })).flat();
      assert.deepEqual(found, [fresh.sessionId, ...online]);
      const away = (await allPages({ ...filter, isOnline: false, limit: 2 })).flat();
      const others = old.filter((id) => !online.includes(id));
      assert.deepEqual(away, others);
    }
    const everybody = (await allPages({ isOnline: true, limit: 2 })).flat();
    const shown = everybody.filter((id) => old.includes(id));
    assert.deepEqual(shown, online);
    assert.ok(everybody.includes(fresh.sessionId));
  });
});

describe('GET /admin/session-event', () => {
  const at = useSessions();

  const read = (limit: number, cursor?: string): Promise<{ Items: Line[]; NextCursor: string }> =>
    at.boss.read(`${EVENTS}?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`);

  it('returns all changes in order, from the oldest, page by page', async () => {
    const one = await at.newSession();
    const two = await at.login(one.person);
    await at.change({ SessionId: two.sessionId, Status: 2, Reason: 'calm down' }).expect(200);
    // Other databases of the server delay the newest.
    const all = await eventually(async () => {
      const { Items } = await read(200);
      return Items.length === 5 && Items;
    });
    assert.deepEqual(fieldsOf(all, 'SessionId', 'Status', 'Reason'), [
      [at.boss.sessionId, 1, 'login'],
      [one.sessionId, 1, 'login'],
      [one.sessionId, 3, 'replaced'],
      [two.sessionId, 1, 'login'],
      [two.sessionId, 2, 'calm down'],
    ]);
    const fields = Object.keys(all[0] ?? {}).toSorted();
    assert.deepEqual(fields, ['ChangedAt', 'Reason', 'SessionId', 'Status', 'TokenExpiresAt', 'UserId']);
    const paged: Line[] = [];
    for (let page = await read(2); page.Items.length > 0; page = await read(2, page.NextCursor))
      paged.push(...page.Items);
    assert.deepEqual(paged, all);
  });
});
