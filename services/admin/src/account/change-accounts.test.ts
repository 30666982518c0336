import assert from 'node:assert/strict';
import { atOnce, readTables, statusesOf } from '@gatehouse/accounts/testing';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, problem } from '../testing/cast.ts';
import type { TestAdmin } from '../testing/index.ts';

const BULK = '/admin/account/bulk';

async function crowdOf(member: ReturnType<typeof cast>['member'], count: number) {
  const Search = `Crowd ${newId()}`;
  const made = await atOnce(count, () => member({ displayName: Search }));
  return { Search, ids: made.map(({ id }) => id) };
}

describe('POST /admin/account/bulk', () => {
  const { another, app, audit, boss, login, member, sql, standing: standingOf } = cast({});
  let other: TestAdmin;
  before(async () => (other = await another()));

  const change = (given: object) => boss.post(BULK, given);
  const standing = ({ Token }: { Token: string }) => standingOf(Token, other.app);

  it('ends the sessions of those who match and no others, and records and publishes each change', async () => {
    const { Search, ids } = await crowdOf(member, 3);
    const sessions = await Promise.all(ids.map((id) => login({ id })));
    const stranger = await login(await member());
    const order = { Filter: { Search }, Change: { IsDisabled: true }, Reason: 'They left' };
    const { body: done } = await change(order).expect(200);
    assert.deepEqual([done.Ids, done.Count, done.Skipped], [ids.toSorted().toReversed(), 3, 0]);
    assert.deepEqual(fieldsOf(done.Items, 'LoginStatus'), [3, 3, 3]);
    for (const session of sessions) assert.equal(await standing(session), 'session_deactivated');
    assert.equal(await standing(stranger), 'User');
    const { entries } = await audit({ action: 'account.changed', actorId: boss.id });
    assert.equal(entries.length, 3);
    const details = { IsDisabled: true, Reason: 'They left' };
    assert.deepEqual(
      new Map(entries.map((one) => [one.targetId, one.details])),
      new Map(ids.map((id) => [id, details])),
    );
    const statement = `select type from outbox where event -> 'data' ->> 'UserId' = any(?)
      and type <> 'session.started' order by type`;
    const types = ['account.disabled', 'session.ended'].flatMap((type) => [type, type, type]);
    assert.deepEqual(fieldsOf(await sql<{ type: string }>(statement, [ids]), 'type'), types);
    const again = await change(order).expect(200);
    assert.deepEqual([again.body.Count, again.body.Skipped, again.body.Ids], [0, 3, []]);
  });

  it('has the same effect as single changes, for accounts in any state', async () => {
    const { Search, ids } = await crowdOf(member, 3);
    const [first = '', second = '', third = ''] = ids;
    await sql('update account set password_hash = null, password_scheme = null where id = ?', [second]);
    await sql("update account set expires_at = now() - interval '1 day' where id = ?", [third]);
    const sessions = await Promise.all([first, second].map((id) => login({ id })));
    const { body } = await change({ Filter: { Search }, Change: { NewPasswordRequired: true } }).expect(200);
    assert.deepEqual([new Set(body.Ids), body.Skipped], [new Set([first, third]), 1]);
    assert.deepEqual(await Promise.all(sessions.map(standing)), ['session_deactivated', 'User']);

    const inOrder = { Ids: [first, third] };
    const ExpiresAt = '2999-01-01T00:00:00.000Z';
    const later = { Filter: inOrder, Change: { ExpiresAt, NewPasswordRequired: false } };
    const lasting = await change(later).expect(200);
    assert.ok(lasting.body.Items.every((item: { ExpiresAt: string }) => item.ExpiresAt === ExpiresAt));
    const back = await login({ id: third });
    const ended = { Filter: inOrder, Change: { ExpiresAt: '2020-01-01T00:00:00Z' } };
    assert.equal((await change(ended).expect(200)).body.Count, 2);
    assert.equal(await standing(back), 'session_expired');
  });

  it('keeps one active administrator without expiry, or changes nothing', async () => {
    const { ids } = await crowdOf(member, 2);
    const admins = await Promise.all([1, 2].map(() => member({ role: 'Admin' })));
    const everybody = { Ids: [boss.id, ...ids, ...admins.map(({ id }) => id)] };
    const before = await readTables(app());
    for (const lost of [{ IsDisabled: true }, { ExpiresAt: '2999-01-01T00:00:00Z' }])
      for (const DryRun of [true, false])
        await change({ Filter: everybody, Change: lost, DryRun }).expect(problem('conflict'));
    assert.deepEqual(await readTables(app()), before);
    const others = { Ids: everybody.Ids.slice(1) };
    assert.equal((await change({ Filter: others, Change: { IsDisabled: true } }).expect(200)).body.Count, 4);
  });

  it('changes no more than five thousand', async function () {
    this.timeout(120_000);
    const tag = `crowd${newId()}`;
    const statement = `insert into account (id, email, email_key) select gen_random_uuid(), n || ?, n || ?
      from generate_series(1, 5001) n`;
    await sql(statement, [`@${tag}.example`, `@${tag}.example`]);
    const order = { Filter: { Search: tag }, Change: { TwoFactorRequired: true } };
    for (const DryRun of [true, false]) await change({ ...order, DryRun }).expect(problem('conflict'));
    await sql('delete from account where email = ?', [`1@${tag}.example`]);
    // A machine that is too busy for so many answers 503, and has changed nothing.
    const { status, body } = await eventually(async () => {
      const answer = await change(order);
      return answer.status !== 503 && answer;
    }, 60);
    assert.deepEqual([status, body.Count, body.Items.length, body.Ids.length], [200, 5000, 200, 5000]);
    await sql('delete from account where email like ?', [`%@${tag}.example`]);
  });
});

describe('concurrent bulk changes of accounts', () => {
  const { administrator, another, login, member, post, sql } = cast({ SINGLE_SESSION: false });
  let other: TestAdmin;
  before(async () => {
    other = await another();
  });

  const activeOf = (ids: readonly string[]) =>
    sql('select id from user_session where account_id = any(?) and ended_at is null', [ids]);

  it('leave no session of a disabled account despite concurrent logins', async () => {
    const { Token } = await administrator();
    const { Search, ids } = await crowdOf(member, 15);
    const logins = ids.flatMap((id) => [1, 2].map(() => login({ id }).catch(() => undefined)));
    const bulk = post(BULK, Token, { Filter: { Search }, Change: { IsDisabled: true } }).expect(200);
    const late = ids.map((id) => login({ id }).catch(() => undefined));
    assert.equal((await bulk).body.Count, 15);
    await Promise.all([...logins, ...late]);
    assert.deepEqual(await activeOf(ids), []);
  });

  it('of two administrators complete without deadlock, with concurrent session changes', async () => {
    const [one, two] = await Promise.all([administrator(), administrator()]);
    const { Search, ids } = await crowdOf(member, 12);
    await Promise.all(ids.flatMap((id) => [1, 2, 3].map(() => login({ id }))));
    // A few at a time: on a busy machine, a long queue for the same locks ends with 503.
    const changes = (at: number) => {
      const isEven = at % 2 === 0;
      const reversed = { Filter: { Ids: ids.toReversed() }, Change: { TwoFactorRequired: isEven } };
      return Promise.all([
        one.post(BULK, { Filter: { Search }, Change: { NewPasswordRequired: isEven } }),
        other.post(BULK, two, reversed),
        other.post('/admin/user-session', two, { Filter: { Search }, Status: 1 + (at % 2) }),
        ...ids.slice(0, 3).map((id) => one.patch(`/admin/account/${id}`, { IsDisabled: isEven })),
      ]);
    };
    for (let wave = 0; wave < 2; wave += 1) {
      const answers = await atOnce(2, changes);
      assert.deepEqual(new Set(statusesOf(answers.flat())), new Set([200]));
    }
  });
});
