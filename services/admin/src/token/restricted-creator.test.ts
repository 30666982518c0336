import assert from 'node:assert/strict';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/api-token';
const NETWORKS = ['127.0.0.0/8', '2001:db8::/32'];

describe('a restricted token', () => {
  let admin: TestAdmin;
  let me: { Token: string };
  let parent: { Id: string; Token: string; ExpiresAt: string };
  before(async () => {
    admin = await startAdmin();
    me = await admin.login(await admin.newAccount({ role: 'Admin' }));
    const ExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
    parent = await create({ Networks: NETWORKS, ExpiresAt });
  });
  after(() => admin.stop());

  const from = (who: { Token: string }, path: string, body: object) =>
    admin.post(path, who, body).set({ 'x-forwarded-for': '127.0.0.1' });
  const create = async (given: object, who = me) =>
    (await from(who, PATH, { Name: 'Deploy', Role: 'Admin', ...given }).expect(201)).body;
  const rotate = async (id: string, who: { Token: string }) =>
    (await from(who, `${PATH}/${id}/rotate`, { OverlapSeconds: 60 }).expect(201)).body;

  it('creates tokens with its own restrictions, and the audit says so', async () => {
    const child = await create({}, parent);
    assert.deepEqual([child.Networks, child.ExpiresAt], [NETWORKS, parent.ExpiresAt]);
    const { body } = await admin
      .get(`/admin/audit?action=api-token.created&targetId=${child.Id}`, me)
      .expect(200);
    const [{ ActorKind, ActorId, Details }] = body.Items;
    assert.deepEqual([ActorKind, ActorId], ['ApiToken', parent.Id]);
    assert.deepEqual(Details, { Role: 'Admin', Networks: NETWORKS, ExpiresAt: parent.ExpiresAt });
  });

  it('creates tokens with tighter ones', async () => {
    const ExpiresAt = new Date(Date.now() + 60_000).toISOString();
    const Networks = ['127.0.0.1', '2001:db8:7::/48'];
    const child = await create({ Networks, ExpiresAt }, parent);
    assert.deepEqual([child.Networks, child.ExpiresAt], [Networks, ExpiresAt]);
  });

  for (const [what, given, pointer] of [
    ['from everywhere', { Networks: ['0.0.0.0/0'] }, '/Networks'],
    ['from another network beside its own', { Networks: ['127.0.0.1', '198.51.100.7'] }, '/Networks'],
    ['from a wider network', { Networks: ['2001:db8::/31'] }, '/Networks'],
    ['for longer', { ExpiresAt: '2999-01-01T00:00:00Z' }, '/ExpiresAt'],
  ] as const) {
    it(`creates none that works ${what}`, async () => {
      const { body } = await from(parent, PATH, { Name: 'x', ...given }).expect(400);
      assert.equal(body.errors[0].pointer, pointer);
    });
  }

  it('rotates itself and others without getting rid of its restrictions', async () => {
    const other = await rotate((await create({})).Id, parent);
    assert.deepEqual([other.Networks, other.ExpiresAt], [NETWORKS, parent.ExpiresAt]);
    const narrow = await rotate((await create({ Networks: ['127.0.0.1'] })).Id, parent);
    assert.deepEqual([narrow.Networks, narrow.ExpiresAt], [['127.0.0.1'], parent.ExpiresAt]);
    const itself = await rotate(parent.Id, parent);
    assert.deepEqual([itself.Networks, itself.ExpiresAt], [NETWORKS, parent.ExpiresAt]);
  });
});
