import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts, contentAccess, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../../testing/index.ts';

const PATH = '/admin/content-definition';

describe('/admin/content-definition', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const add = async (given: object) => (await admin.post(PATH, token, given).expect(201)).body;

  it('adds, shows, changes and deletes content', async () => {
    const owner = await admin.newAccount();
    const given = { Name: 'News', Kind: 'LiveChannel', OwnerId: owner.id };
    const added = await admin.post(PATH, token, given).expect(201);
    const { Id } = added.body;
    assert.equal(added.headers['location'], `${PATH}/${Id}`);
    assert.deepEqual(added.body, { Id, ...given });
    const at = `${PATH}/${Id}`;
    await admin.get(at, token).expect(200, { Id, ...given });

    const changed = { Name: 'Old news', Kind: 'Recording' };
    await admin.call('put', at, token, changed).expect(200, { Id, ...changed, OwnerId: owner.id });
    const unowned = { Id, ...changed, OwnerId: null };
    await admin.call('put', at, token, { ...changed, OwnerId: null }).expect(200, unowned);
    const { body } = await admin.call('put', at, token, unowned).expect(400);
    assert.equal(body.errors[0].pointer, '/Id');
    await admin.get(at, token).expect(200, unowned);

    await admin.call('delete', at, token).expect(204, '');
    assert.equal((await admin.get(at, token).expect(404)).body.code, 'not_found');
    await admin.call('delete', at, token).expect(404);
    await admin.call('put', at, token, changed).expect(404);
  });

  it('creates content without an owner by default', async () => {
    assert.equal((await add({ Name: 'Plan', Kind: 'Document' })).OwnerId, null);
  });

  it('lists newest first, paged, each once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await add({ Name: 'x', Kind: 'Document' })).Id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await admin.get(`${PATH}?limit=2${cursor}`, token).expect(200);
      assert.ok(body.Items.length <= 2);
      seen.push(...body.Items.map((item: { Id: string }) => item.Id));
      cursor = body.NextCursor === undefined ? '' : `&cursor=${body.NextCursor}`;
      // New content does not shift later pages.
      if (seen.length === 2) await add({ Name: 'later', Kind: 'Document' });
    } while (cursor !== '');
    assert.deepEqual(seen.slice(0, 5), ids);
    assert.equal(new Set(seen).size, seen.length);
  });

  for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor=e30', 'cursor=']) {
    it(`refuses ?${query}`, async () => {
      const { body } = await admin.get(`${PATH}?${query}`, token).expect(400);
      assert.equal(body.errors[0].pointer, `/query/${query.split('=')[0]}`);
    });
  }

  it('refuses invalid content, naming the fields', async () => {
    const guest = await admin.newAccount({ role: 'Guest' });
    for (const [given, pointer] of [
      [{ Kind: 'Document' }, '/Name'],
      [{ Name: 'x', Kind: 'document', name: 'x' }, '/name'],
      [{ Name: 'x', Kind: 'Document', OwnerId: newId() }, '/OwnerId'],
      [{ Name: 'x', Kind: 'Document', OwnerId: guest.id }, '/OwnerId'],
    ] as const) {
      const { body } = await admin.post(PATH, token, given).expect(400);
      assert.equal(body.errors[0].pointer, pointer);
    }
    await admin.get(`${PATH}/x`, token).expect(400);
  });

  it('retires its guests on deletion', async () => {
    const content = await admin.newContent();
    const guest = await admin.newAccount({ role: 'Guest', email: someEmail() });
    await inTransaction(admin.app.db, NO_DEADLINE, (tx) =>
      contentAccess.grant(tx, {
        contentDefinitionId: content,
        accountId: guest.id,
        grantedBy: undefined,
      }),
    );
    const session = await admin.login(guest);
    await admin.call('delete', `${PATH}/${content}`, token).expect(204);
    assert.equal((await admin.get(PATH, session).expect(401)).body.code, 'invite_deleted');
    assert.equal((await accounts.findById(admin.app.db, guest.id))?.isExpired, true);
  });
});
