import assert from 'node:assert/strict';
import { inTransaction, query, type Transaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

describe('an account that is enabled while its owner confirms its erasure', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const confirm = (tx: Transaction, id: string) =>
    query(
      tx,
      `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at)
       values (gen_random_uuid(), ?, 'Account', ?, now() + interval '14 days')`,
      [id, id],
    );
  const isWaiting = () =>
    eventually(async () => {
      const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await query(admin.app.db, sql)).length > 0;
    });
  const standingOf = async (id: string) => {
    const { body } = await admin.get(`/admin/account/${id}`, token).expect(200);
    return { isDisabled: body.IsDisabled, isPending: body.ErasesAt !== null };
  };
  const CLOSED = { isDisabled: true, isPending: true };
  const WAYS = {
    alone: (id: string) =>
      admin.call('patch', `/admin/account/${id}`, token, { IsDisabled: false }).then(({ status }) => status),
    'among many': (id: string) =>
      admin
        .post('/admin/account/bulk', token, { Filter: { Search: id }, Change: { IsDisabled: false } })
        .then(({ status, body }) => [status, body.Skipped]),
  };

  for (const [how, refused] of [
    ['alone', 409],
    ['among many', [200, 1]],
  ] as const)
    it(`stays closed if the owner was first, ${how}`, async () => {
      const { id } = await admin.newAccount();
      const { enabling } = await inTransaction(admin.app.db, NO_DEADLINE, async (tx) => {
        await confirm(tx, id);
        const asked = WAYS[how](id);
        await isWaiting();
        return { enabling: asked };
      });
      assert.deepEqual(await enabling, refused);
      assert.deepEqual(await standingOf(id), CLOSED);
    });

  it('is closed if the administrator was first', async () => {
    const { id } = await admin.newAccount();
    const { confirming } = await inTransaction(admin.app.db, NO_DEADLINE, async (tx) => {
      await query(tx, 'update account set is_disabled = false where id = ?', [id]);
      const asked = inTransaction(admin.app.db, NO_DEADLINE, (other) => confirm(other, id));
      await isWaiting();
      return { confirming: asked };
    });
    await confirming;
    assert.deepEqual(await standingOf(id), CLOSED);
  });

  it('cannot be enabled, despite earlier checks of a service', async () => {
    const { id } = await admin.newAccount();
    await inTransaction(admin.app.db, NO_DEADLINE, (tx) => confirm(tx, id));
    const enable = () =>
      query(admin.app.service.db, 'update account set is_disabled = false where id = ?', [id]);
    await assert.rejects(enable, { code: '42501' });
    assert.deepEqual(await standingOf(id), CLOSED);
  });
});
