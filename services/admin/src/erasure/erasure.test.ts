import assert from 'node:assert/strict';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { startAdmin, type TestAdmin } from '../testing/index.ts';
import { eraseDueAccounts } from './erase-due.ts';

const NOW = { After: '2020-01-01T00:00:00Z' };

describe('the erasure of accounts by administrators', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const sql = (text: string, values: string[]) => query(admin.app.db, text, values);
  const erase = (id: string, body: object = {}) => admin.call('delete', `/admin/account/${id}`, token, body);
  const newErased = async (): Promise<string> => {
    const { id } = await admin.newAccount();
    await erase(id, NOW).expect(202);
    await eraseDueAccounts(admin.app.service);
    return id;
  };
  const erasureOf = async (id: string) =>
    (await admin.get(`/admin/erasure?userId=${id}`, token).expect(200)).body.Items[0];

  it('disables the account, ends its sessions, and can be cancelled', async () => {
    const person = await admin.newAccount();
    const { sessionId } = await admin.login(person);
    await erase(person.id, { Reason: 'by letter' }).expect(202);
    assert.equal((await admin.get(`/admin/user-session/${sessionId}`, token).expect(200)).body.Status, 4);
    const closed = await admin.get(`/admin/account/${person.id}`, token).expect(200);
    assert.equal(closed.body.IsDisabled, true);
    assert.ok(closed.body.ErasesAt);
    const patch = (body: object) => admin.call('patch', `/admin/account/${person.id}`, token, body);
    await patch({ IsDisabled: false }).expect(409);
    await erase(person.id).expect(409);
    const restored = await admin.post(`/admin/account/${person.id}/restore`, token).expect(200);
    assert.equal(restored.body.IsDisabled, false);
    assert.equal(restored.body.ErasesAt, null);
    await admin.post(`/admin/account/${person.id}/restore`, token).expect(409);
    assert.equal((await erasureOf(person.id)).State, 'Restored');
    await eraseDueAccounts(admin.app.service);
    await admin.get(`/admin/account/${person.id}`, token).expect(200);
  });

  it('removes the account when due, and not before', async () => {
    const { id } = await admin.newAccount();
    await erase(id).expect(202);
    await eraseDueAccounts(admin.app.service);
    await admin.get(`/admin/account/${id}`, token).expect(200);
    await sql('update erasure set erases_at = now() where account_id = ?', [id]);
    await eraseDueAccounts(admin.app.service);
    await admin.get(`/admin/account/${id}`, token).expect(404);
    await admin.post(`/admin/account/${id}/restore`, token).expect(404);
    const done = await erasureOf(id);
    assert.equal(done.State, 'Erased');
    assert.equal(done.Counts.account, 1);
  });

  it('keeps every audit entry, without addresses and reasons', async () => {
    const { id } = await admin.newAccount();
    await admin.call('patch', `/admin/account/${id}`, token, { DisplayName: 'Ann' }).expect(200);
    const count = async () => {
      const [row] = await query<{ n: number }>(admin.app.db, 'select count(*)::int as n from audit');
      return row?.n ?? 0;
    };
    await erase(id, { ...NOW, Reason: 'unmistakable' }).expect(202);
    const before = await count();
    await eraseDueAccounts(admin.app.service);
    assert.equal(await count(), before + 1);
    const { body } = await admin.get(`/admin/audit?targetId=${id}`, token).expect(200);
    const entries = body.Items as { Action: string; IpAddress: unknown; Details: object }[];
    assert.deepEqual(
      entries.map(({ Action }) => Action),
      ['account.erased', 'account.erasure-requested', 'account.changed'],
    );
    assert.ok(entries.every(({ IpAddress }) => IpAddress === null));
    assert.doesNotMatch(JSON.stringify(entries), /unmistakable/);
  });

  it('does not let others change the audit, during and after it', async () => {
    await newErased();
    for (const text of [
      'update audit set ip_address = null',
      'delete from audit',
      'update session_event set reason = reason',
      'delete from session_event',
      'insert into forgetting (transaction_id) values (pg_current_xact_id())',
      'select * from forgetting',
      'update erasure set erased_at = null',
      'update erasure set restored_at = null, restore_hash = null',
    ])
      await assert.rejects(query(admin.app.service.db, text), /permission denied|append-only/, text);
    // The table's owner would have to remove the trigger.
    await assert.rejects(sql('update audit set ip_address = null', []), /append-only/);
    await assert.rejects(sql('delete from audit', []), /append-only/);
    assert.equal((await sql('select transaction_id from forgetting', [])).length, 0);
  });

  it('erases nothing that is not due, for any caller of the function', async () => {
    const { id } = await admin.newAccount();
    const forget = async () =>
      (await query<{ done: unknown }>(admin.app.service.db, 'select forget_account(?) as done', [id]))[0]
        ?.done;
    assert.equal(await forget(), null);
    await erase(id).expect(202);
    assert.equal(await forget(), null);
    await admin.get(`/admin/account/${id}`, token).expect(200);
  });

  it('refuses the last administrator, owners of content and invalid new owners', async () => {
    const owner = await admin.newAccount();
    const Kind = 'Document';
    const content = await admin
      .post('/admin/content-definition', token, { Name: 'Plan', Kind, OwnerId: owner.id })
      .expect(201);
    await erase(owner.id).expect(409);
    for (const heir of [owner.id, '019c0000-0000-7000-8000-000000000001'])
      await erase(owner.id, { TransferContentTo: heir }).expect(400);
    const heir = await admin.newAccount();
    await erase(owner.id, { TransferContentTo: heir.id }).expect(202);
    const given = await admin.get(`/admin/content-definition/${content.body.Id}`, token).expect(200);
    assert.equal(given.body.OwnerId, heir.id);
    const self = await sql(`select id from account where role = 'Admin'`, []);
    assert.equal(self.length, 1);
    const { body } = await erase(String(Object.values(self[0] ?? {})[0])).expect(409);
    assert.match(body.detail, /administrator/);
  });

  it('runs once with concurrent callers, with one event for each account', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => admin.newAccount()));
    for (const { id } of people) await erase(id, NOW).expect(202);
    await Promise.all(Array.from({ length: 4 }, () => eraseDueAccounts(admin.app.service)));
    await eraseDueAccounts(admin.app.service);
    for (const { id, email } of people) {
      const rows = await sql(`select id from audit where target_id = ? and action = 'account.erased'`, [id]);
      assert.equal(rows.length, 1);
      const mails = await admin.app.mailsTo(email);
      assert.deepEqual(
        mails.map(({ type }) => type),
        ['account.erased'],
      );
    }
  });

  it('ends reactivated sessions before it erases', async () => {
    const person = await admin.newAccount();
    const { sessionId } = await admin.login(person);
    await erase(person.id, NOW).expect(202);
    await sql(`update user_session set status = 1, ended_at = null, end_reason = null where id = ?`, [
      sessionId,
    ]);
    await eraseDueAccounts(admin.app.service);
    await eraseDueAccounts(admin.app.service);
    assert.equal((await erasureOf(person.id)).State, 'Erased');
  });

  it('allows one export of an account at a time', async () => {
    const [{ id }, other] = [await admin.newAccount(), await admin.newAccount()];
    const ask = (of: string) => admin.get(`/admin/account/${of}/export`, token).then(({ status }) => status);
    const { asked } = await inTransaction(admin.app.db, NO_DEADLINE, async (tx) => {
      await query(tx, 'lock table invitation in access exclusive mode');
      const both = [ask(id), ask(id)];
      assert.equal(await Promise.race(both), 429);
      return { asked: Promise.all([...both, ask(other.id)]) };
    });
    assert.deepEqual(
      (await asked).toSorted((low, high) => low - high),
      [200, 200, 429],
    );
  });

  it('exports an account for a data subject request', async () => {
    const { id, email } = await admin.newAccount();
    const { body } = await admin.get(`/admin/account/${id}/export`, token).expect(200);
    assert.equal(body.Profile[0].Email, email);
    await admin.get('/admin/account/019c0000-0000-7000-8000-000000000001/export', token).expect(404);
  });
});
