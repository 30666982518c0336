import assert from 'node:assert/strict';
import { readAudit, readTables } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';

describe('POST /admin/account/bulk', function () {
  this.timeout(20_000);
  let admin: TestAdmin;
  let other: TestAdmin;
  let me: string;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    other = await startAdmin({}, admin);
    await Promise.all([admin.app.relay.stop(), other.app.relay.stop()]);
    const person = await admin.newAccount({ role: 'Admin' });
    me = person.id;
    token = (await admin.login(person)).Token;
  });
  after(async () => {
    await other.stop();
    await admin.stop();
  });

  const change = (given: object) => admin.post(`${PATH}/bulk`, token, given);
  const standing = async ({ Token }: { Token: string }) => {
    const found = await other.app.auth.authenticate(`Bearer ${Token}`);
    return found.kind === 'refused' ? found.code : found.role;
  };
  const newAccounts = async (count: number) => {
    const displayName = `Bulk ${newId()}`;
    const made = await Promise.all(Array.from({ length: count }, () => admin.newAccount({ displayName })));
    return {
      Search: displayName,
      ids: made.map(({ id }) => id),
      newestFirst: made
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    };
  };

  it('reports in a dry run what it would change, without locks, and then does exactly that', async () => {
    const { Search, ids, newestFirst } = await newAccounts(3);
    const sessions = await Promise.all(ids.map((id) => admin.login({ id })));
    const stranger = await admin.login(await admin.newAccount());
    const order = { Filter: { Search }, Change: { IsDisabled: true }, Reason: 'They left' };
    const before = await readTables(admin.app);
    const { body: trial } = await change({ ...order, DryRun: true }).expect(200);
    assert.deepEqual(await readTables(admin.app), before);
    assert.deepEqual([trial.Ids, trial.Count, trial.Skipped], [newestFirst, 3, 0]);
    assert.ok(trial.Items.every((item: { LoginStatus: number }) => item.LoginStatus === 3));
    for (const session of sessions) assert.equal(await standing(session), 'User');

    const { body: done } = await change(order).expect(200);
    assert.deepEqual(done, trial);
    for (const session of sessions) assert.equal(await standing(session), 'session_deactivated');
    assert.equal(await standing(stranger), 'User');
    const { entries } = await readAudit(admin.app, { action: 'account.changed', actorId: me });
    assert.deepEqual(
      entries
        .map(({ targetId, details }) => [targetId, details])
        .toSorted(byFirst)
        .toReversed(),
      newestFirst.map((id) => [id, { IsDisabled: true, Reason: 'They left' }]),
    );
    const events = await query<{ type: string }>(
      admin.app.db,
      `select type from outbox where event -> 'data' ->> 'UserId' = any(?) and type <> 'session.started' order by type`,
      [ids],
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      [...Array<string>(3).fill('account.disabled'), ...Array<string>(3).fill('session.ended')],
    );
    const again = await change(order).expect(200);
    assert.deepEqual([again.body.Count, again.body.Skipped, again.body.Ids], [0, 3, []]);
  });

  it('has the same effect as single changes, for accounts in any state', async () => {
    const { Search, ids } = await newAccounts(3);
    const [first = '', second = '', third = ''] = ids;
    await query(
      admin.app.db,
      'update account set password_hash = null, password_scheme = null where id = ?',
      [second],
    );
    await query(admin.app.db, "update account set expires_at = now() - interval '1 day' where id = ?", [
      third,
    ]);
    const sessions = await Promise.all([first, second].map((id) => admin.login({ id })));
    const { body } = await change({ Filter: { Search }, Change: { NewPasswordRequired: true } }).expect(200);
    assert.deepEqual([new Set(body.Ids), body.Skipped], [new Set([first, third]), 1]);
    assert.deepEqual(await Promise.all(sessions.map(standing)), ['session_deactivated', 'User']);

    const inOrder = { Ids: [first, third] };
    const ExpiresAt = '2999-01-01T00:00:00.000Z';
    const lasting = await change({
      Filter: inOrder,
      Change: { ExpiresAt, NewPasswordRequired: false },
    }).expect(200);
    assert.ok(lasting.body.Items.every((item: { ExpiresAt: string }) => item.ExpiresAt === ExpiresAt));
    const back = await admin.login({ id: third });
    const expired = await change({ Filter: inOrder, Change: { ExpiresAt: '2020-01-01T00:00:00Z' } }).expect(
      200,
    );
    assert.equal(expired.body.Count, 2);
    assert.equal(await standing(back), 'session_expired');
  });

  it('refuses invalid changes', async () => {
    const { Search } = await newAccounts(1);
    const before = await readTables(admin.app);
    for (const [given, pointer] of [
      [{ Filter: { Ids: [] }, Change: { IsDisabled: true } }, '/Filter/Ids'],
      [{ Filter: { Search }, Change: {} }, '/Change'],
      [{ Filter: { Search } }, '/Change'],
      [{ Filter: { Search }, Change: { Role: 'Admin' } }, '/Change/Role'],
      [{ Filter: { Search }, Change: { ExpiresAt: '0000-01-01T00:00:00Z' } }, '/Change/ExpiresAt'],
    ] as const) {
      const { body } = await change(given).expect(400);
      assert.equal(body.errors[0].pointer, pointer, JSON.stringify(given));
    }
    assert.deepEqual(await readTables(admin.app), before);
  });

  it('keeps one active administrator without expiry, or changes nothing', async () => {
    const { ids } = await newAccounts(2);
    const admins = await Promise.all([1, 2].map(() => admin.newAccount({ role: 'Admin' })));
    const everybody = { Ids: [me, ...ids, ...admins.map(({ id }) => id)] };
    const before = await readTables(admin.app);
    for (const lost of [{ IsDisabled: true }, { ExpiresAt: '2999-01-01T00:00:00Z' }]) {
      for (const DryRun of [true, false]) {
        const { body } = await change({ Filter: everybody, Change: lost, DryRun }).expect(409);
        assert.equal(body.code, 'conflict');
      }
    }
    assert.deepEqual(await readTables(admin.app), before);
    const others = { Ids: everybody.Ids.slice(1) };
    assert.equal((await change({ Filter: others, Change: { IsDisabled: true } }).expect(200)).body.Count, 4);
  });

  it('changes no more than five thousand', async () => {
    const tag = `crowd${newId()}`;
    await query(
      admin.app.db,
      `insert into account (id, email, email_key) select gen_random_uuid(), n || ?, n || ? from generate_series(1, 5001) n`,
      [`@${tag}.example`, `@${tag}.example`],
    );
    const order = { Filter: { Search: tag }, Change: { TwoFactorRequired: true } };
    for (const DryRun of [true, false]) {
      assert.equal((await change({ ...order, DryRun }).expect(409)).body.code, 'conflict');
    }
    await query(admin.app.db, 'delete from account where email = ?', [`1@${tag}.example`]);
    const { body } = await change(order).expect(200);
    assert.deepEqual([body.Count, body.Items.length, body.Ids.length], [5000, 200, 5000]);
    await query(admin.app.db, 'delete from account where email like ?', [`%@${tag}.example`]);
  });

  it('detects changes since the preview by the ids', async () => {
    const { Search, ids } = await newAccounts(5);
    const order = { Filter: { Search, LoginStatus: 3 }, Change: { IsDisabled: false } };
    await change({ Filter: { Search }, Change: { IsDisabled: true } }).expect(200);
    const preview = (await change({ ...order, DryRun: true }).expect(200)).body;
    const taken = ids.slice(0, 2);
    await change({ Filter: { Ids: taken }, Change: { IsDisabled: false } }).expect(200);
    const { body } = await change(order).expect(200);
    const missing = preview.Ids.filter((id: string) => !body.Ids.includes(id));
    assert.deepEqual([body.Count, new Set(missing)], [3, new Set(taken)]);
  });
});

function byFirst([one]: unknown[], [other]: unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}
