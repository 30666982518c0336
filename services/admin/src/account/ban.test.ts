import assert from 'node:assert/strict';
import { cast, refusesEach } from '../testing/cast.ts';
import { endBans } from './end-bans.ts';

const PATH = '/admin/account';
const HOUR_MS = 3_600_000;

describe('disabling an account for a time', () => {
  const { app, audit, boss, login, member, sql } = cast({});

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const patch = (id: string, change: object) => boss.patch(`${PATH}/${id}`, change);
  const read = async (id: string) => await boss.read(`${PATH}/${id}`);
  const list = async (filter: string) => await boss.ids(`${PATH}?${filter}`);
  const banOf = ({
    IsDisabled,
    LoginStatus,
    DisabledUntil,
    DisabledReason,
    TellReason,
  }: Record<string, unknown>) => [IsDisabled, LoginStatus, DisabledUntil, DisabledReason, TellReason];
  const eventsOf = async (id: string) => {
    const rows = await sql<{ event: { type: string; data: Record<string, unknown> } }>(
      "select event from outbox where type like 'account.%' and event -> 'data' ->> 'UserId' = ? order by id",
      [id],
    );
    return rows.map(({ event }) => [event.type, event.data]);
  };

  it('ends by itself at once, and then is recorded once: in the audit and as an event', async () => {
    const { id } = await member();
    const { Token } = await login({ id });
    const DisabledUntil = inMs(HOUR_MS);
    const ban = { IsDisabled: true, DisabledUntil, Reason: 'spam', TellReason: true };
    const { body } = await patch(id, ban).expect(200);
    assert.deepEqual(banOf(body), [true, 3, DisabledUntil, 'spam', true]);
    assert.deepEqual(await list(`loginStatus=3&disabledUntilBefore=${inMs(2 * HOUR_MS)}`), [id]);
    assert.equal((await app().auth.authenticate(`Bearer ${Token}`)).kind, 'refused');
    await sql('update account set disabled_until = now() where id = ?', [id]);
    assert.deepEqual(banOf(await read(id)), [false, undefined, null, null, false]);
    assert.deepEqual(await list('loginStatus=3'), []);
    await login({ id });
    assert.equal((await endBans(app())) + (await endBans(app())), 1);
    const { entries } = await audit({ targetId: id, action: 'account.changed' });
    assert.deepEqual(
      entries.map(({ actorKind, details }) => [actorKind, details]),
      [
        ['System', { IsDisabled: false, DisabledUntil: null }],
        ['Account', { IsDisabled: true, DisabledUntil, TellReason: true, Reason: 'spam' }],
      ],
    );
    assert.deepEqual(await eventsOf(id), [
      ['account.disabled', { UserId: id, DisabledUntil, ChangedBy: boss.id }],
      ['account.enabled', { UserId: id }],
    ]);
  });

  it('can be prolonged, is forgotten when an administrator enables it, and does not come back', async () => {
    const { id } = await member();
    const [first, second] = [inMs(HOUR_MS), inMs(2 * HOUR_MS)];
    await patch(id, { IsDisabled: true, DisabledUntil: first, Reason: 'spam', TellReason: true }).expect(200);
    const { body } = await patch(id, { IsDisabled: true, DisabledUntil: second }).expect(200);
    assert.deepEqual(banOf(body), [true, 3, second, 'spam', true]);
    assert.deepEqual(banOf((await patch(id, { DisplayName: 'Ann' }).expect(200)).body), [
      true,
      3,
      second,
      'spam',
      true,
    ]);
    assert.equal((await patch(id, { IsDisabled: false }).expect(200)).body.IsDisabled, false);
    const again = await patch(id, { IsDisabled: true }).expect(200);
    assert.deepEqual(banOf(again.body), [true, 3, null, null, false]);
  });

  it('is refused with an end in the past, or without disabling', async () => {
    const { id } = await member();
    await refusesEach(
      (change: object) => patch(id, change),
      [
        [{ IsDisabled: true, DisabledUntil: inMs(-1000) }, '/DisabledUntil'],
        [{ DisabledUntil: inMs(HOUR_MS) }, '/DisabledUntil'],
        [{ IsDisabled: false, TellReason: true }, '/TellReason'],
      ],
    );
    assert.equal((await read(id)).IsDisabled, false);
  });

  it('disables many accounts for the same time, with the reason', async () => {
    const people = [await member(), await member()];
    const DisabledUntil = inMs(HOUR_MS);
    const order = {
      Filter: { Ids: people.map(({ id }) => id) },
      Change: { IsDisabled: true, DisabledUntil, TellReason: true },
      Reason: 'a broken client',
    };
    assert.equal((await boss.post(`${PATH}/bulk`, order).expect(200)).body.Count, 2);
    for (const { id } of people)
      assert.deepEqual(banOf(await read(id)), [true, 3, DisabledUntil, 'a broken client', true]);
  });

  it('opens no account that is to be erased, and goes on if the erasure is taken back', async () => {
    const { id } = await member();
    const DisabledUntil = inMs(HOUR_MS);
    await patch(id, { IsDisabled: true, DisabledUntil, Reason: 'spam' }).expect(200);
    await boss.delete(`${PATH}/${id}`, {}).expect(202);
    assert.deepEqual(banOf(await read(id)), [true, 3, null, 'spam', false]);
    assert.equal((await patch(id, { IsDisabled: true, DisabledUntil }).expect(409)).body.code, 'conflict');
    const bulk = { Filter: { Ids: [id] }, Change: { IsDisabled: true, DisabledUntil } };
    assert.equal((await boss.post(`${PATH}/bulk`, bulk).expect(200)).body.Count, 0);
    await assert.rejects(sql('update account set disabled_until = now() where id = ?', [id]));
    const restored = await boss.post(`${PATH}/${id}/restore`).expect(200);
    assert.deepEqual(banOf(restored.body), [true, 3, DisabledUntil, 'spam', false]);
  });
});
