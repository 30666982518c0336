import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../../testing/index.ts';

describe('GET /admin/invitation/{id}', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const invited = async (ended: 'accepted_at' | 'deleted_at' | undefined) => {
    const id = newId();
    const guest = await admin.newAccount({ role: 'Guest' });
    await query(
      admin.app.db,
      `insert into invitation (id, account_id, content_definition_id, token_hash, invited_email, expires_at
         ${ended === undefined ? '' : `, ${ended}`})
       values (?, ?, ?, ?, '', now() + interval '1 hour' ${ended === undefined ? '' : ', now()'})`,
      [id, guest.id, await admin.newContent(), Buffer.from(id)],
    );
    return { id, guest };
  };

  for (const ended of [undefined, 'accepted_at', 'deleted_at'] as const) {
    it(`returns an invitation, also one that the list does not have: ${ended ?? 'pending'}`, async () => {
      const { id, guest } = await invited(ended);
      const { body } = await admin.get(`/admin/invitation/${id}`, token).expect(200);
      assert.deepEqual([body.Id, body.UserId, body.Email], [id, guest.id, guest.email]);
      assert.equal(body.AcceptedAt !== null, ended === 'accepted_at');
      assert.equal(body.DeletedAt !== null, ended === 'deleted_at');
      assert.ok(!JSON.stringify(body).toLowerCase().includes('token'));
      const { body: list } = await admin.get(`/admin/invitation?id=${id}`, token).expect(200);
      assert.equal(list.Items.length, ended === undefined ? 1 : 0);
    });
  }

  it('does not know others', async () => {
    await admin.get(`/admin/invitation/${newId()}`, token).expect(404);
    await admin.get('/admin/invitation/x', token).expect(400);
  });
});
