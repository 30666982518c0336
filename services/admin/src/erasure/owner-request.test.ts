import assert from 'node:assert/strict';
import { type Transaction, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { cast } from '../testing/cast.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('an erasure requested by the owner', () => {
  const { boss, member, sql } = cast();

  const erase = (id: string, body: object = {}) => boss.delete(`/admin/account/${id}`, body);
  const patch = (id: string, body: object) => boss.patch(`/admin/account/${id}`, body);
  /** An erasure confirmed by the owner, with a link that cancels it. */
  const requestErasure = async () => {
    const person = await member();
    await sql(
      `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
       values (gen_random_uuid(), ?, 'Account', ?, now() + interval '14 days', cast(? as text)::bytea)`,
      [person.id, person.id, person.id],
    );
    return person;
  };
  const followLink = async (id: string): Promise<unknown> => {
    const statement = 'select take_back_own_erasure(cast(? as text)::bytea) as taken';
    return (await sql<{ taken: unknown }>(statement, [id]))[0]?.taken;
  };
  const read = async (id: string) => await boss.read(`/admin/account/${id}`);

  for (const [how, disable] of [
    ['alone', async (id: string) => void (await patch(id, { IsDisabled: true }).expect(200))],
    [
      'among many',
      async (id: string) => {
        const body = { Filter: { Search: id }, Change: { IsDisabled: true } };
        await boss.post('/admin/account/bulk', body).expect(200);
      },
    ],
  ] as const)
    it(`does not prevent an administrator from disabling the account, ${how}`, async () => {
      const { id } = await requestErasure();
      await disable(id);
      await disable(id);
      assert.equal(await followLink(id), null);
      await patch(id, { IsDisabled: false }).expect(409);
      const body = await boss.read(`/admin/audit?targetId=${id}`);
      const changes = (body.Items as { Action: string; Details: object }[]).filter(
        ({ Action }) => Action === 'account.changed',
      );
      assert.deepEqual(
        changes.map(({ Details }) => Details),
        [{ IsDisabled: true }],
      );
      const restored = await boss.post(`/admin/account/${id}/restore`).expect(200);
      assert.equal(restored.body.IsDisabled, true);
      await patch(id, { IsDisabled: false }).expect(200);
    });

  it('can be taken over by an administrator, once, and is then not cancelled by the link', async () => {
    const { id } = await requestErasure();
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const { body } = await erase(id, { After: inDays(3), Reason: 'by letter' }).expect(202);
    assert.ok(Math.abs(Date.parse(body.ErasedAt) - Date.now() - 3 * DAY_MS) < 60_000, body.ErasedAt);
    assert.equal(await followLink(id), null);
    await erase(id, { After: inDays(1) }).expect(409);
    const list = await boss.get(`/admin/erasure?userId=${id}`).expect(200);
    assert.equal(list.body.Items.length, 1);
    const restored = await boss.post(`/admin/account/${id}/restore`).expect(200);
    assert.equal(restored.body.IsDisabled, false);
  });

  it('is never postponed', async () => {
    const { id } = await requestErasure();
    const { ErasesAt } = await read(id);
    const { body } = await erase(id, { After: new Date(Date.now() + 30 * DAY_MS).toISOString() }).expect(202);
    assert.equal(body.ErasedAt, ErasesAt);
  });

  it('transfers nothing if the request of an administrator is refused', async () => {
    const { id } = await member();
    const heir = await member();
    await erase(id).expect(202);
    const Kind = 'Document';
    const content = await boss
      .post('/admin/content-definition', { Name: 'Plan', Kind, OwnerId: heir.id })
      .expect(201);
    const path = `/admin/content-definition/${content.body.Id}`;
    await sql('update content_definition set owner_id = ? where id = ?', [id, content.body.Id]);
    await erase(id, { TransferContentTo: heir.id }).expect(409);
    assert.equal((await boss.read(path)).OwnerId, id);
  });
});

describe('an account that is enabled while its owner confirms its erasure', () => {
  const { app, boss, member, sql } = cast();

  const confirm = (tx: Transaction, id: string) =>
    query(
      tx,
      `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at)
       values (gen_random_uuid(), ?, 'Account', ?, now() + interval '14 days')`,
      [id, id],
    );
  const isWaiting = () =>
    eventually(async () => {
      const statement = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await sql(statement)).length > 0;
    });
  const standingOf = async (id: string) => {
    const body = await boss.read(`/admin/account/${id}`);
    return { isDisabled: body.IsDisabled, isPending: body.ErasesAt !== null };
  };
  const CLOSED = { isDisabled: true, isPending: true };
  const WAYS = {
    alone: (id: string) =>
      boss.patch(`/admin/account/${id}`, { IsDisabled: false }).then(({ status }) => status),
    'among many': (id: string) =>
      boss
        .post('/admin/account/bulk', { Filter: { Search: id }, Change: { IsDisabled: false } })
        .then(({ status, body }) => [status, body.Skipped]),
  };

  for (const [how, refused] of [
    ['alone', 409],
    ['among many', [200, 1]],
  ] as const)
    it(`stays closed if the owner was first, ${how}`, async () => {
      const { id } = await member();
      const { enabling } = await inTransaction(app().db, NO_DEADLINE, async (tx) => {
        await confirm(tx, id);
        const asked = WAYS[how](id);
        await isWaiting();
        return { enabling: asked };
      });
      assert.deepEqual(await enabling, refused);
      assert.deepEqual(await standingOf(id), CLOSED);
    });

  it('is closed if the administrator was first', async () => {
    const { id } = await member();
    const { confirming } = await inTransaction(app().db, NO_DEADLINE, async (tx) => {
      await query(tx, 'update account set is_disabled = false where id = ?', [id]);
      const asked = inTransaction(app().db, NO_DEADLINE, (other) => confirm(other, id));
      await isWaiting();
      return { confirming: asked };
    });
    await confirming;
    assert.deepEqual(await standingOf(id), CLOSED);
  });

  it('cannot be enabled, despite earlier checks of a service', async () => {
    const { id } = await member();
    await inTransaction(app().db, NO_DEADLINE, (tx) => confirm(tx, id));
    const enable = () => query(app().service.db, 'update account set is_disabled = false where id = ?', [id]);
    await assert.rejects(enable, { code: '42501' });
    assert.deepEqual(await standingOf(id), CLOSED);
  });
});
