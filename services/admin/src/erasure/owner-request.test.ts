import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('an erasure requested by the owner', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const erase = (id: string, body: object = {}) => admin.call('delete', `/admin/account/${id}`, token, body);
  const patch = (id: string, body: object) => admin.call('patch', `/admin/account/${id}`, token, body);
  /** An erasure confirmed by the owner, with a link that cancels it. */
  const requestErasure = async () => {
    const person = await admin.newAccount();
    await query(
      admin.app.db,
      `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
       values (gen_random_uuid(), ?, 'Account', ?, now() + interval '14 days', cast(? as text)::bytea)`,
      [person.id, person.id, person.id],
    );
    return person;
  };
  const followLink = async (id: string): Promise<unknown> => {
    const sql = 'select take_back_own_erasure(cast(? as text)::bytea) as taken';
    return (await query<{ taken: unknown }>(admin.app.db, sql, [id]))[0]?.taken;
  };
  const read = async (id: string) => (await admin.get(`/admin/account/${id}`, token).expect(200)).body;

  for (const [how, disable] of [
    ['alone', async (id: string) => void (await patch(id, { IsDisabled: true }).expect(200))],
    [
      'among many',
      async (id: string) => {
        const body = { Filter: { Search: id }, Change: { IsDisabled: true } };
        await admin.post('/admin/account/bulk', token, body).expect(200);
      },
    ],
  ] as const)
    it(`does not prevent an administrator from disabling the account, ${how}`, async () => {
      const { id } = await requestErasure();
      await disable(id);
      await disable(id);
      assert.equal(await followLink(id), null);
      await patch(id, { IsDisabled: false }).expect(409);
      const { body } = await admin.get(`/admin/audit?targetId=${id}`, token).expect(200);
      const changes = (body.Items as { Action: string; Details: object }[]).filter(
        ({ Action }) => Action === 'account.changed',
      );
      assert.deepEqual(
        changes.map(({ Details }) => Details),
        [{ IsDisabled: true }],
      );
      const restored = await admin.post(`/admin/account/${id}/restore`, token).expect(200);
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
    const list = await admin.get(`/admin/erasure?userId=${id}`, token).expect(200);
    assert.equal(list.body.Items.length, 1);
    const restored = await admin.post(`/admin/account/${id}/restore`, token).expect(200);
    assert.equal(restored.body.IsDisabled, false);
  });

  it('is never postponed', async () => {
    const { id } = await requestErasure();
    const { ErasesAt } = await read(id);
    const { body } = await erase(id, { After: new Date(Date.now() + 30 * DAY_MS).toISOString() }).expect(202);
    assert.equal(body.ErasedAt, ErasesAt);
  });

  it('transfers nothing if the request of an administrator is refused', async () => {
    const { id } = await admin.newAccount();
    const heir = await admin.newAccount();
    await erase(id).expect(202);
    const Kind = 'Document';
    const content = await admin
      .post('/admin/content-definition', token, { Name: 'Plan', Kind, OwnerId: heir.id })
      .expect(201);
    const path = `/admin/content-definition/${content.body.Id}`;
    await query(admin.app.db, 'update content_definition set owner_id = ? where id = ?', [
      id,
      content.body.Id,
    ]);
    await erase(id, { TransferContentTo: heir.id }).expect(409);
    assert.equal((await admin.get(path, token).expect(200)).body.OwnerId, id);
  });
});
