import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { contentAccess, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../../testing/index.ts';

const PATH = '/admin/content-definition';

describe('content search and members', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const ids = async (search: string) =>
    (await admin.get(`${PATH}?${search}`, token).expect(200)).body.Items.map(({ Id }: { Id: string }) => Id);

  it('finds by part of the name, case-insensitively, by id, kind and owner', async () => {
    const owner = await admin.newAccount();
    const news = await admin.newContent(owner, { name: 'Evening News 100%', kind: 'Recording' });
    const plan = await admin.newContent(undefined, { name: 'Emergency plan', kind: 'Document' });
    assert.deepEqual(await ids('search=NEWS'), [news]);
    assert.deepEqual(await ids('search=e'), [plan, news]);
    assert.deepEqual(await ids(`search=${encodeURIComponent('100%')}`), [news]);
    assert.deepEqual(await ids(`search=${encodeURIComponent('1__%')}`), []);
    assert.deepEqual(await ids(`search=${plan.toUpperCase()}`), [plan]);
    assert.deepEqual(await ids('kind=recording'), [news]);
    assert.deepEqual(await ids(`ownerId=${owner.id}`), [news]);
    assert.deepEqual(await ids(`ownerId=${owner.id}&search=plan`), []);
    const { body } = await admin.get(`${PATH}?search=news&count=true`, token).expect(200);
    assert.equal(body.Count, 1);
    for (const search of ['kind=x', 'ownerId=x', 'search='])
      await admin.get(`${PATH}?${search}`, token).expect(400);
  });

  it('counts members and invitations in a list on request', async () => {
    const content = await admin.newContent(undefined, { name: 'Counted talk' });
    const guest = await admin.newAccount({ role: 'Guest' });
    const expired = await admin.newAccount({ role: 'Guest' });
    for (const [accountId, expiresAt] of [
      [guest.id, null],
      [expired.id, new Date(Date.now() - 1000)],
    ] as const) {
      const access = { contentDefinitionId: content, accountId, grantedBy: undefined, expiresAt };
      await inTransaction(admin.app.db, NO_DEADLINE, (tx) => contentAccess.grant(tx, access));
    }
    await admin.post(`${PATH}/${content}/invite`, token, { Emails: [someEmail(), someEmail()] }).expect(200);
    const counts = async (members: string) => {
      const { body } = await admin.get(`${PATH}?search=counted${members}`, token).expect(200);
      const [{ AccessCount, PendingCount }] = body.Items;
      return [AccessCount, PendingCount];
    };
    assert.deepEqual(await counts('&members=true'), [1, 2]);
    assert.deepEqual(await counts(''), [undefined, undefined]);
    const none = await admin.get(`${PATH}?search=nothing+is+called+so&members=true`, token).expect(200);
    assert.deepEqual(none.body.Items, []);
    // At most a thousand are counted.
    await query(
      admin.app.db,
      `with people as (
         insert into account (id, email, email_key, role)
         select gen_random_uuid(), 'p' || n || '@counted.example', 'p' || n || '@counted.example', 'Guest'
         from generate_series(1, 1005) n
         returning id)
       insert into content_access (content_definition_id, account_id, invited_email) select ?, id, '' from people`,
      [content],
    );
    assert.deepEqual(await counts('&members=true'), [1001, 2]);
  });

  it('returns the owner and the members', async () => {
    const owner = await admin.newAccount({ displayName: 'Olga' });
    const guest = await admin.newAccount({ role: 'Guest' });
    const content = await admin.newContent(owner, { kind: 'Document' });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const access = { contentDefinitionId: content, accountId: guest.id, grantedBy: owner.id, expiresAt };
    await inTransaction(admin.app.db, NO_DEADLINE, (tx) => contentAccess.grant(tx, access));
    const { Items } = (await admin.get(`${PATH}/${content}/member`, token).expect(200)).body;
    const [{ Since, ...first }, second] = Items;
    assert.ok(Math.abs(Date.parse(Since) - Date.now()) < 30_000);
    assert.deepEqual(first, {
      UserId: guest.id,
      Email: guest.email,
      DisplayName: null,
      IsGuest: true,
      Relation: 'Access',
      By: owner.id,
      ExpiresAt: expiresAt.toISOString(),
      InvitationId: null,
      LinkExpiresAt: null,
    });
    assert.deepEqual(
      [second.UserId, second.DisplayName, second.Relation, second.By],
      [owner.id, 'Olga', 'Owner', null],
    );
    for (const [wanted, count] of [
      ['count=true&limit=1', 2],
      ['count=true&relation=access', 1],
      ['count=true&relation=Pending', 0],
    ] as const) {
      const { body } = await admin.get(`${PATH}/${content}/member?${wanted}`, token).expect(200);
      assert.deepEqual([body.Count, body.CountIsExact], [count, true], wanted);
    }
    await admin.get(`${PATH}/${newId()}/member`, token).expect(404);
    await admin.get(`${PATH}/${content}/member`, await admin.newToken()).expect(403);
  });
});
