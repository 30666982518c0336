import assert from 'node:assert/strict';
import { readAudit, someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';

describe('the groups of an account', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const create = async (Groups: string[]) =>
    (await admin.post(PATH, token, { Email: someEmail(), Groups }).expect(201)).body;
  const patch = (id: string, Groups: unknown) => admin.call('patch', `${PATH}/${id}`, token, { Groups });

  it('are replaced as a whole, each once and sorted, and recorded in the audit', async () => {
    const { Id, Groups } = await create(['sales', 'admins', 'sales']);
    assert.deepEqual(Groups, ['admins', 'sales']);
    assert.deepEqual((await patch(Id, ['sales', 'Sales']).expect(200)).body.Groups, ['Sales', 'sales']);
    await patch(Id, ['sales', 'Sales', 'Sales']).expect(200);
    assert.deepEqual((await patch(Id, []).expect(200)).body.Groups, []);
    const { entries } = await readAudit(admin.app, { targetId: Id });
    assert.deepEqual(
      entries.map(({ action, details }) => [action, details?.['Groups']]),
      [
        ['account.changed', []],
        ['account.changed', ['Sales', 'sales']],
        ['account.created', ['admins', 'sales']],
      ],
    );
  });

  it('are printable labels without a comma, at most 50 of 100 characters', async () => {
    const { Id } = await create([]);
    const fifty = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100, 'x'));
    for (const label of ['/staff', 'Domain Users', 'a;b', 'ä', '-a', '組', '5f1f8a52-0d53'])
      assert.deepEqual((await patch(Id, [label]).expect(200)).body.Groups, [label]);
    assert.equal((await patch(Id, fifty).expect(200)).body.Groups.length, 50);
    const wrong = [
      '',
      ' ',
      'a,b',
      ' a',
      'a ',
      'a\n',
      'a\u00a0b',
      'a\u200bb',
      '\u202ea',
      'x'.repeat(101),
      7,
      null,
    ];
    for (const given of [[...fifty, 'one'], 'a', null, ...wrong.map((one) => [one])]) {
      const { body } = await patch(Id, given).expect(400);
      assert.match(body.errors[0].pointer, /^\/Groups/, JSON.stringify(given));
    }
    assert.equal((await admin.get(`${PATH}/${Id}`, token)).body.Groups.length, 50);
  });

  it('find the accounts that have one, in lists and bulk changes', async () => {
    const group = `g-${newId()}`;
    const [one, other] = [await create([group, 'a']), await create(['z', group])];
    await create([`${group}x`]);
    const { body } = await admin.get(`${PATH}?group=${group}&count=true`, token).expect(200);
    assert.deepEqual([body.Items.map(({ Id }: { Id: string }) => Id), body.Count], [[other.Id, one.Id], 2]);
    const change = { Filter: { Group: group }, Change: { TwoFactorRequired: true } };
    const changed = await admin.post(`${PATH}/bulk`, token, change).expect(200);
    assert.deepEqual(changed.body.Ids, [other.Id, one.Id]);
    await admin.get(`${PATH}?group=a%2Cb`, token).expect(400);
  });

  it('come with an import, and are recorded by account', async () => {
    const Email = someEmail();
    const lines = [
      { Email, Groups: ['b', 'a', 'b'] },
      { Email: someEmail() },
      { Email: someEmail(), Groups: ['a,b'] },
    ];
    const { body } = await admin
      .call('post', `${PATH}/import`, token)
      .set('content-type', 'application/x-ndjson')
      .serialize((value: unknown) => value as string)
      .send(lines.map((line) => JSON.stringify(line)).join('\n'))
      .expect(200);
    assert.deepEqual([body.Imported, body.Failures.map(({ Line }: { Line: number }) => Line)], [2, [3]]);
    const [imported] = (await admin.get(`${PATH}?email=${encodeURIComponent(Email)}`, token)).body.Items;
    assert.deepEqual(imported.Groups, ['a', 'b']);
    const { entries } = await readAudit(admin.app, { action: 'account.imported', targetId: imported.Id });
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ Role: 'User', Groups: ['a', 'b'] }],
    );
  });
});
