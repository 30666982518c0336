import assert from 'node:assert/strict';
import { contentAccess, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../../testing/index.ts';

describe('GET /admin/account/{id}/content', () => {
  let admin: TestAdmin;
  let me: string;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    const person = await admin.newAccount({ role: 'Admin' });
    me = person.id;
    token = (await admin.login(person)).Token;
  });
  after(() => admin.stop());

  const pathOf = (id: string) => `/admin/account/${id}/content`;
  const grant = (contentDefinitionId: string, accountId: string) =>
    inTransaction(admin.app.db, NO_DEADLINE, (tx) =>
      contentAccess.grant(tx, { contentDefinitionId, accountId, grantedBy: me }),
    );
  const invite = (contentDefinitionId: string, accountId: string, more = '') =>
    query(
      admin.app.db,
      `insert into invitation (id, account_id, content_definition_id, token_hash, invited_by, invited_email, expires_at ${more && ', deleted_at'})
       values (?, ?, ?, ?, ?, '', now() - interval '1 day' ${more && ', now()'})`,
      [newId(), accountId, contentDefinitionId, Buffer.from(newId()), me],
    );

  it('lists what the account owns, may see and is invited to, and nothing else', async () => {
    const [person, other] = [await admin.newAccount(), await admin.newAccount()];
    const owned = await admin.newContent(person, { name: 'Owned', kind: 'Recording' });
    const shared = await admin.newContent(other, { name: 'Shared' });
    const pending = await admin.newContent(other, { name: 'Pending', kind: 'Document' });
    const deleted = await admin.newContent(other, { name: 'Taken back' });
    await grant(shared, person.id);
    await grant(owned, person.id);
    await invite(pending, person.id);
    await invite(deleted, person.id, 'deleted');
    const { body } = await admin.get(`${pathOf(person.id)}?count=true`, token).expect(200);
    const seen = body.Items.map((item: Record<string, string>) => {
      assert.ok(Math.abs(Date.parse(item['Since'] ?? '') - Date.now()) < 60_000);
      return [item['ContentDefinitionId'], item['Name'], item['Kind'], item['Relation'], item['By']];
    });
    assert.deepEqual(seen, [
      [pending, 'Pending', 'Document', 'Pending', me],
      [shared, 'Shared', 'LiveChannel', 'Access', me],
      [owned, 'Owned', 'Recording', 'Owner', null],
      [owned, 'Owned', 'Recording', 'Access', me],
    ]);
    assert.deepEqual([body.Count, body.CountIsExact, body.NextCursor], [4, true, undefined]);
    assert.deepEqual((await admin.get(pathOf(me), token).expect(200)).body, { Items: [] });
    await admin.get(pathOf(newId()), token).expect(404);
  });

  it('is paged, also between two relations to the same content', async () => {
    const person = await admin.newAccount();
    for (let n = 0; n < 4; n += 1) await grant(await admin.newContent(person), person.id);
    const all = (await admin.get(pathOf(person.id), token).expect(200)).body.Items;
    assert.equal(all.length, 8);
    const paged: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await admin.get(`${pathOf(person.id)}?limit=3${cursor}`, token).expect(200);
      paged.push(...body.Items);
      cursor = body.NextCursor === undefined ? '' : `&cursor=${body.NextCursor}`;
    } while (cursor !== '');
    assert.deepEqual(paged, all);
  });
});
