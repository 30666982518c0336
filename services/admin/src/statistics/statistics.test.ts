import assert from 'node:assert/strict';
import { atOnce } from '@gatehouse/accounts/testing';
import { type Db, activity, connectDb } from '@gatehouse/db';
import { createMetrics } from '@gatehouse/runtime';
import { endings, fieldsOf } from '@gatehouse/runtime/testing';
import { cast, refusesEach } from '../testing/cast.ts';
import { measureOnline } from './totals.ts';

const HOUR_MS = 3_600_000;

describe('GET /admin/statistics', () => {
  const { app, boss, login, member, sql } = cast({});

  const read = (search: string) => boss.read(`/admin/statistics?${search}`);
  const refuses = (cases: [string, string][]) =>
    refusesEach((search: string) => boss.get(`/admin/statistics?${search}`), cases);

  it('shows what was counted, with a point for each hour and each day', async () => {
    const at = new Date('2026-03-01T12:00:00Z');
    await activity.add(app().db, [
      { at, kind: 'login.password', count: 3 },
      { at, kind: 'session.replaced', count: 2 },
      { at: new Date(at.getTime() + HOUR_MS), kind: 'login.password', count: 4 },
    ]);
    const hours = await read('from=2026-03-01T11:45:00Z&to=2026-03-01T14:00:00Z');
    assert.deepEqual(hours.Series, [
      { At: '2026-03-01T11:00:00.000Z', Counts: {} },
      { At: '2026-03-01T12:00:00.000Z', Counts: { 'login.password': 3, 'session.replaced': 2 } },
      { At: '2026-03-01T13:00:00.000Z', Counts: { 'login.password': 4 } },
    ]);
    const days = await read('from=2026-02-28T00:00:00Z&to=2026-03-02T00:00:00Z&interval=day');
    assert.deepEqual(days.Series, [
      { At: '2026-02-28T00:00:00.000Z', Counts: {} },
      { At: '2026-03-01T00:00:00.000Z', Counts: { 'login.password': 7, 'session.replaced': 2 } },
    ]);
  });

  it('refuses what is backwards, too long or too fine, or a year in UTC without four digits', async () => {
    await refuses([
      ['from=2026-03-02T00:00:00Z&to=2026-03-02T00:00:00Z', '/query/from'],
      ['from=2025-01-01T00:00:00Z&to=2026-03-02T00:00:00Z&interval=day', '/query/from'],
      ['from=2026-01-01T00:00:00Z&to=2026-02-12T00:00:00Z', '/query/interval'],
    ]);
    const longest = await read('from=2025-01-01T12:00:00Z&to=2026-02-05T12:00:00Z&interval=day');
    assert.equal(longest.Series.length, 401);
    assert.equal((await read('from=2026-01-01T00:30:00Z&to=2026-02-11T15:30:00Z')).Series.length, 1000);
    await refuses([
      ['to=9999-12-31T23:59:59-23:59', '/query/to'],
      ['from=0000-01-01T00:00:00%2B01:00&to=0000-01-01T00:00:00Z', '/query/from'],
      ['to=0000-01-01T12:00:00Z', '/query/to'],
    ]);
    assert.equal((await read('from=9999-12-31T22:00:00Z&to=9999-12-31T23:59:59.999Z')).Series.length, 2);
  });

  describe('/now', () => {
    const now = () => boss.read('/admin/statistics/now');
    const letPass = (ms: number) => {
      const { clock } = app();
      const { now: before } = clock;
      clock.now = () => before() + ms;
    };

    it('counts what there is, and remembers it for some seconds', async () => {
      letPass(20_000);
      const before = await now();
      const guest = await member({ role: 'Guest' });
      const user = await member();
      await login(user);
      await sql('update account set is_disabled = true where id = ?', [guest.id]);
      await sql(`insert into login_throttle (email_key, failures, blocked_until)
         values ('somebody', 12, now() + interval '1 minute'), ('over', 12, now() - interval '1 minute')`);
      assert.deepEqual(await now(), before);
      letPass(20_000);
      const { At, ...after } = await now();
      assert.notEqual(At, before.At);
      assert.deepEqual(after, {
        ...Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'At')),
        Accounts: before.Accounts + 2,
        ByRole: { ...before.ByRole, User: before.ByRole.User + 1, Guest: before.ByRole.Guest + 1 },
        Disabled: before.Disabled + 1,
        SessionsActive: before.SessionsActive + 1,
        Throttled: before.Throttled + 1,
        OutboxWaiting: after.OutboxWaiting,
        OutboxOldestSeconds: after.OutboxOldestSeconds,
      });
      assert.equal(before.AccountsIsExact, true);
    });

    it('shares one query between concurrent requests', async () => {
      letPass(20_000);
      const answers = await atOnce(20, now);
      assert.equal(new Set(fieldsOf(answers, 'At')).size, 1);
      assert.equal(new Set(fieldsOf(answers, 'OutboxOldestSeconds')).size, 1);
    });
  });
});

describe('the metric of sessions online', () => {
  const atEnd = endings();
  const { app, login, member } = cast({});

  const lineOf = async (db: Db) => {
    const metrics = createMetrics('test');
    measureOnline(db, 60, metrics);
    return (await metrics.metrics()).split('\n').find((line) => line.startsWith('gatehouse_sessions_online'));
  };

  it('counts sessions that were pinged within the window', async () => {
    const [seen, unseen] = [await member(), await member()];
    await login(unseen);
    await login(seen);
    await app().db('user_session').where({ account_id: seen.id }).update({ last_pinged_at: new Date() });
    assert.equal(await lineOf(app().db), 'gatehouse_sessions_online{service="test"} 1');
  });

  it('is left out, and fails no scrape, while Postgres is away', async () => {
    const db = connectDb({ url: 'postgres://x:x@127.0.0.1:1/x', applicationName: 'test', poolMax: 1 });
    atEnd(() => db.destroy());
    assert.equal(await lineOf(db), undefined);
  });
});
