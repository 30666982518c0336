import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

const PATH = '/admin/account';

describe('the groups of an account', () => {
  const { audit, boss } = cast();

  const create = async (Groups: string[]) =>
    (await boss.post(PATH, { Email: someEmail(), Groups }).expect(201)).body;
  const patch = (id: string, Groups: unknown) => boss.patch(`${PATH}/${id}`, { Groups });

  it('are replaced as a whole, each once and sorted, and recorded in the audit', async () => {
    const { Id, Groups } = await create(['sales', 'admins', 'sales']);
    assert.deepEqual(Groups, ['admins', 'sales']);
    assert.deepEqual((await patch(Id, ['sales', 'Sales']).expect(200)).body.Groups, ['Sales', 'sales']);
    await patch(Id, ['sales', 'Sales', 'Sales']).expect(200);
    assert.deepEqual((await patch(Id, []).expect(200)).body.Groups, []);
    const { entries } = await audit({ targetId: Id });
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
    const wrong = ['', 'a,b', ' a', 'a ', 'a\n', 'a\u200bb', '\u202ea', 'x'.repeat(101)];
    for (const given of [[...fifty, 'one'], ...wrong.map((one) => [one])]) {
      const { body } = await patch(Id, given).expect(400);
      assert.match(body.errors[0].pointer, /^\/Groups/, JSON.stringify(given));
    }
    assert.equal((await boss.get(`${PATH}/${Id}`)).body.Groups.length, 50);
  });

  it('find the accounts that have one, in lists and bulk changes', async () => {
    const group = `g-${newId()}`;
    const [one, other] = [await create([group, 'a']), await create(['z', group])];
    await create([`${group}x`]);
    const body = await boss.read(`${PATH}?group=${group}&count=true`);
    assert.deepEqual([body.Items.map(({ Id }: { Id: string }) => Id), body.Count], [[other.Id, one.Id], 2]);
    const change = { Filter: { Group: group }, Change: { TwoFactorRequired: true } };
    const changed = await boss.post(`${PATH}/bulk`, change).expect(200);
    assert.deepEqual(changed.body.Ids, [other.Id, one.Id]);
    await boss.get(`${PATH}?group=a%2Cb`).expect(400);
  });

  it('come with an import, and are recorded by account', async () => {
    const Email = someEmail();
    const lines = [
      { Email, Groups: ['b', 'a', 'b'] },
      { Email: someEmail() },
      { Email: someEmail(), Groups: ['a,b'] },
    ];
    const { body } = await boss.imports(lines).expect(200);
    assert.deepEqual([body.Imported, body.Failures.map(({ Line }: { Line: number }) => Line)], [2, [3]]);
    const [imported] = (await boss.get(`${PATH}?email=${encodeURIComponent(Email)}`)).body.Items;
    assert.deepEqual(imported.Groups, ['a', 'b']);
    const { entries } = await audit({ action: 'account.imported', targetId: imported.Id });
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ Role: 'User', Groups: ['a', 'b'] }],
    );
  });
});
