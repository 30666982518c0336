import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/api-token';

describe('one API token', () => {
  let admin: TestAdmin;
  let me: { Token: string };
  before(async () => {
    admin = await startAdmin();
    me = await admin.login(await admin.newAccount({ role: 'Admin' }));
  });
  after(() => admin.stop());

  const create = async () => (await admin.post(PATH, me, { Name: 'Deploy' }).expect(201)).body;

  it('is returned as in the list, by its case-insensitive id, without the token itself', async () => {
    const [one] = [await create(), await create()];
    const { Token, ...known } = one;
    for (const id of [one.Id, one.Id.toUpperCase()]) {
      const { body, text } = await admin.get(`${PATH}/${id}`, me).expect(200);
      assert.deepEqual(body, known);
      assert.ok(!text.includes(Token.slice(12)));
    }
  });

  it('is shown after it was revoked', async () => {
    const { Id } = await create();
    await admin.call('delete', `${PATH}/${Id}`, me).expect(204);
    const { body } = await admin.get(`${PATH}/${Id}`, me).expect(200);
    assert.ok(body.RevokedAt);
  });

  it('is not found by an unknown id, even a similar one', async () => {
    const { Id } = await create();
    const last = Number.parseInt(Id.slice(-1), 16);
    const neighbours = [(last + 1) % 16, (last + 15) % 16].map((end) => Id.slice(0, -1) + end.toString(16));
    const ends = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
    for (const id of [newId(), ...neighbours, ...ends]) {
      assert.equal((await admin.get(`${PATH}/${id}`, me).expect(404)).body.code, 'not_found', id);
    }
    await admin.get(`${PATH}/x`, me).expect(400);
  });
});
