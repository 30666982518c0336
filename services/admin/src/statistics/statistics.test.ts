import assert from 'node:assert/strict';
import { activity, query } from '@gatehouse/db';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const HOUR_MS = 3_600_000;

describe('GET /admin/statistics', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const read = async (search: string) =>
    (await admin.get(`/admin/statistics?${search}`, token).expect(200)).body;
  const refusal = async (search: string) => {
    const { body } = await admin.get(`/admin/statistics?${search}`, token).expect(400);
    return body.errors[0].pointer;
  };

  it('shows what was counted, with a point for each hour and each day', async () => {
    const at = new Date('2026-03-01T12:00:00Z');
    await activity.add(admin.app.db, [
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

  it('defaults to the last day', async () => {
    const { Series } = (await admin.get('/admin/statistics', token).expect(200)).body;
    assert.equal(Series.length, 25);
    const [first] = Series;
    assert.ok(Date.now() - Date.parse(first.At) < 25 * HOUR_MS);
  });

  it('refuses what is backwards, too long or too fine', async () => {
    assert.equal(await refusal('from=2026-03-02T00:00:00Z&to=2026-03-02T00:00:00Z'), '/query/from');
    assert.equal(
      await refusal('from=2025-01-01T00:00:00Z&to=2026-03-02T00:00:00Z&interval=day'),
      '/query/from',
    );
    assert.equal(await refusal('from=2026-01-01T00:00:00Z&to=2026-02-12T00:00:00Z'), '/query/interval');
    assert.equal(await refusal('interval=minute'), '/query/interval');
    assert.equal(await refusal('from=2026-06-30T23:59:60Z'), '/query/from');
    const longest = await read('from=2025-01-01T12:00:00Z&to=2026-02-05T12:00:00Z&interval=day');
    assert.equal(longest.Series.length, 401);
    const finest = await read('from=2026-01-01T00:30:00Z&to=2026-02-11T15:30:00Z');
    assert.equal(finest.Series.length, 1000);
  });

  it('refuses times whose year in UTC does not have four digits', async () => {
    assert.equal(await refusal('to=9999-12-31T23:59:59-23:59'), '/query/to');
    assert.equal(await refusal('from=0000-01-01T00:00:00%2B01:00&to=0000-01-01T00:00:00Z'), '/query/from');
    assert.equal(await refusal('to=0000-01-01T12:00:00Z'), '/query/to');
    assert.equal((await read('from=9999-12-31T22:00:00Z&to=9999-12-31T23:59:59.999Z')).Series.length, 2);
  });

  describe('/now', () => {
    const now = async () => (await admin.get('/admin/statistics/now', token).expect(200)).body;
    const letPass = (ms: number) => {
      const { clock } = admin.app;
      const { now: before } = clock;
      clock.now = () => before() + ms;
    };

    it('counts what there is, and remembers it for some seconds', async () => {
      letPass(20_000);
      const before = await now();
      const guest = await admin.newAccount({ role: 'Guest' });
      const user = await admin.newAccount();
      await admin.login(user);
      await query(admin.app.db, 'update account set is_disabled = true where id = ?', [guest.id]);
      await query(
        admin.app.db,
        `insert into login_throttle (email_key, failures, blocked_until)
         values ('somebody', 12, now() + interval '1 minute'), ('over', 12, now() - interval '1 minute')`,
      );
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
      const answers = await Promise.all(Array.from({ length: 20 }, now));
      assert.equal(new Set(answers.map(({ At }) => At)).size, 1);
      assert.deepEqual(
        answers.map(({ OutboxOldestSeconds }) => OutboxOldestSeconds),
        answers.map(() => answers[0].OutboxOldestSeconds),
      );
    });
  });
});
