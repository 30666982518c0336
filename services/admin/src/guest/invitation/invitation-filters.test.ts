import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../../testing/index.ts';

describe('the filters of GET /admin/invitation', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const invited = async (invitedBy: string | null, expiresInHours: number): Promise<string> => {
    const id = newId();
    const guest = await admin.newAccount({ role: 'Guest' });
    await query(
      admin.app.db,
      `insert into invitation (id, account_id, content_definition_id, token_hash, invited_by, invited_email, expires_at)
       values (?, ?, ?, ?, ?, '', now() + make_interval(hours => ?))`,
      [id, guest.id, await admin.newContent(), Buffer.from(id), invitedBy, expiresInHours],
    );
    return id;
  };
  const ids = async (search: string) =>
    (await admin.get(`/admin/invitation?${search}`, token).expect(200)).body.Items.map(
      ({ Id }: { Id: string }) => Id,
    );

  it('filter by inviter, and by whether the link has expired', async () => {
    const inviter = await admin.newAccount();
    const alive = await invited(inviter.id, 1);
    const expired = await invited(inviter.id, -1);
    const other = await invited(null, -1);
    assert.deepEqual(await ids(`invitedBy=${inviter.id}`), [expired, alive]);
    assert.deepEqual(await ids(`invitedBy=${inviter.id}&isExpired=false`), [alive]);
    assert.deepEqual(await ids('isExpired=true'), [other, expired]);
    assert.deepEqual(await ids('isExpired=false'), [alive]);
    const { body } = await admin.get('/admin/invitation?isExpired=true&count=true', token).expect(200);
    assert.equal(body.Count, 2);
    for (const search of ['invitedBy=x', 'isExpired=maybe']) {
      await admin.get(`/admin/invitation?${search}`, token).expect(400);
    }
  });

  it('filter by id, also for a bulk change', async () => {
    const [one, other] = [await invited(null, 1), await invited(null, 1)];
    assert.deepEqual(await ids(`id=${one}`), [one]);
    assert.deepEqual(await ids(`id=${newId()}`), []);
    await admin.get('/admin/invitation?id=x', token).expect(400);
    const body = { Filter: { Id: one }, Change: 'delete' };
    assert.equal((await admin.post('/admin/invitation/bulk', token, body).expect(200)).body.Count, 1);
    assert.deepEqual([await ids(`id=${one}`), await ids(`id=${other}`)], [[], [other]]);
  });
});
