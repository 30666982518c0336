import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/api-token';

describe('the list of API tokens', () => {
  let admin: TestAdmin;
  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin.stop());

  const newAdmin = async () => {
    const person = await admin.newAccount({ role: 'Admin' });
    return { ...(await admin.login(person)), id: person.id };
  };

  it('filters and counts by creator', async () => {
    const [ann, ben] = [await newAdmin(), await newAdmin()];
    for (const one of [ann, ben, ann]) await admin.post(PATH, one, { Name: one.id }).expect(201);
    const { body } = await admin.get(`${PATH}?createdBy=${ann.id}&count=true`, ben).expect(200);
    assert.deepEqual(
      body.Items.map(({ Name }: { Name: string }) => Name),
      [ann.id, ann.id],
    );
    assert.equal(body.Count, 2);
    const none = await admin.get(`${PATH}?createdBy=${newId()}&count=true`, ben).expect(200);
    assert.deepEqual(none.body, { Items: [], Count: 0, CountIsExact: true });
    await admin.get(`${PATH}?createdBy=x`, ben).expect(400);
  });
});
