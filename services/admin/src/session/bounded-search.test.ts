import assert from 'node:assert/strict';
import { boundedCount, LAST_ID as LAST, loginThrottle, query, type Executor } from '@gatehouse/db';
import { during, fill, fillTables, MANY, NUMBERED_ID, reading, testDatabase } from '@gatehouse/db/testing';
import { findFew, findIdsOf, findRange, rowsOf, type SessionConditions } from './store.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** When the newest of the sessions ended, and each other one a minute before the next. */
const END = '2026-01-01T00:00:00Z';

/** What few sessions have. */
const RARE: [what: string, conditions: SessionConditions, count: number][] = [
  ['an address', { ipAddress: '10.0.0.7' }, 1],
  ['a network', { ipAddress: '10.0.1.0/28' }, 16],
  ['a provider', { ssoProvider: 'rare' }, 7],
  ['a device', { deviceName: 'rare' }, 7],
  ['an end reason', { endReasons: ['replaced'] }, 7],
  ['an hour', { endedFrom: new Date('2025-12-31T22:00Z'), endedTo: new Date('2025-12-31T23:00Z') }, 60],
  ['somebody idle', { status: 1, lastSeenBefore: new Date(END) }, 0],
];

describe('a search of very many sessions', () => {
  const database = during(testDatabase);
  before(async () => {
    await fillTables(database.url, {
      account: `insert into account (id, email, email_key, role, display_name)
       select ${NUMBERED_ID}, 'person' || n || '@x.example', 'person' || n || '@x.example', 'User',
         case when n = 5 then 'Ann zquint' else 'Ann ' || n end from numbers`,
      user_session: `insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at, end_reason,
         ip_address, sso_provider, device_name)
       select ${NUMBERED_ID}, ${NUMBERED_ID}, 7, false, '', '', now(), timestamptz '${END}' - n * interval '1 minute',
         case when n % 10000 = 0 then 'replaced' else 'expired' end, inet '10.0.0.0' + n,
         case when n % 10000 = 0 then 'rare' else 'corp' end, case when n % 10000 = 0 then 'rare' else 'd' || n % 9 end
       from numbers`,
      login_throttle: `insert into login_throttle (email_key, failures, blocked_until)
       select n, 1, case when n % 10000 = 0 then now() + interval '1 day' end from numbers`,
    });
  });

  for (const [what, conditions, count] of RARE)
    it(`reads few sessions to find those of ${what}`, async () => {
      const { found, read } = await reading(database.db, 'user_session', async (tx) => {
        const sessionIds = await findFew(tx, conditions);
        return findRange(tx, { ...conditions, sessionIds }, { beforeId: LAST, fromId: FIRST, max: 100 });
      });
      assert.equal(found.sessions.length, count);
      assert.ok(read < 300, String(read));
    });

  it('finds rare values by their index in statements that are planned once', async () => {
    const statements: string[] = [];
    const recorder = { raw: (text: string) => (statements.push(text), Promise.resolve({ rows: [] })) };
    // The part of an executor that a query uses.
    await findIdsOf(recorder as unknown as Executor, 'device_name', ['rare']);
    const literal = (statements[0] ?? '').replaceAll(':value', "(select 'nobody')").replace(':max', '5001');
    assert.match(JSON.stringify(await query(database.db, `explain ${literal}`)), /user_session_device/);
  });

  it('reads only the keys that wait to find throttled accounts', async () => {
    const { found, read } = await reading(database.db, 'login_throttle', (tx) =>
      loginThrottle.findWaiting(tx, 10_000),
    );
    assert.equal(found.length, 7);
    assert.ok(read < 100, String(read));
  });

  it('reads only the accounts of the sessions that it checks', async () => {
    const stretch = { beforeId: LAST, fromId: FIRST, max: 50 };
    for (const search of ['zq', '-/-', 'nobody']) {
      const { found, read } = await reading(database.db, 'account', (tx) =>
        findRange(tx, { search }, stretch),
      );
      assert.deepEqual([found.sessions.length, typeof found.nextBeforeId], [0, 'string']);
      assert.ok(read <= 20_000, `${search}: ${read}`);
    }
  });

  it('reads only active sessions to find viewers', async () => {
    const stretch = { beforeId: LAST, fromId: FIRST, max: 50 };
    const statement = `update user_session
       set content_definition_id = id, status = 1, ended_at = null, end_reason = null, last_pinged_at = now()
       where id = (select id from user_session order by id limit 1)
       returning id`;
    const contentDefinitionId = await query.onlyValue<string>(database.db, statement, []);
    await fill(database.url, (db) =>
      query(db, 'update user_session set content_definition_id = ?', [contentDefinitionId]),
    );
    await query(database.db, 'analyze user_session');
    for (const conditions of [{ online: { is: true, windowSeconds: 60 } }, { status: 1 } as const]) {
      const { found, read } = await reading(database.db, 'user_session', (tx) =>
        findRange(tx, { contentDefinitionId, ...conditions }, stretch),
      );
      const ids = [found.sessions.map(({ id }) => id), found.nextBeforeId];
      assert.deepEqual(ids, [[contentDefinitionId], undefined]);
      assert.ok(read < 100, String(read));
    }
  });

  it('continues where it stopped, and neither skips nor repeats sessions with concurrent changes', async () => {
    // One query scans 10,000 sessions: the only match is the first session after those.
    const match = MANY - 10_000;
    let statements = 0;
    const raw = async (sql: string, bindings: never) => {
      const result = await database.db.raw(sql, bindings);
      if ((statements += 1) === 1)
        await query(database.db, 'delete from user_session where id = ?', [idOf(MANY - 5)]);
      return result;
    };
    const executor = { raw } as unknown as Executor; // all that a query uses
    const found: string[] = [];
    let beforeId: string | undefined = LAST;
    while (beforeId !== undefined) {
      const stretch = { beforeId, fromId: FIRST, max: 10 };
      const { sessions, nextBeforeId } = await findRange(executor, { search: `person${match}@` }, stretch);
      found.push(...sessions.map(({ id }) => id));
      beforeId = nextBeforeId;
    }
    assert.deepEqual(found, [idOf(match)]);
  });

  it('counts idle sessions from active ones, without reading accounts', async () => {
    const idle = rowsOf({ status: 1, lastSeenBefore: new Date(Date.now() + 60_000) });
    for (const table of ['user_session', 'account']) {
      const { found, read } = await reading(database.db, table, (tx) =>
        boundedCount(tx, idle, { max: 10_000, milliseconds: 2000 }),
      );
      assert.equal(found, 1);
      assert.ok(read < (table === 'account' ? 1 : 100), `${table}: ${read}`);
    }
  });
});
