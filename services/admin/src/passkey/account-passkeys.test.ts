import assert from 'node:assert/strict';
import { atOnce, statusesOf } from '@gatehouse/accounts/testing';
import { cast, problem } from '../testing/cast.ts';

describe('the passkeys of an account', () => {
  const { addPasskey, boss, history, login, mailsTo, member, standing } = cast();

  const pathOf = (id: string) => `/admin/account/${id}/passkey`;
  const remove = (id: string, passkeyId: string) => boss.delete(`${pathOf(id)}/${passkeyId}`);

  it('are listed oldest first, with the fields that their owner sees', async () => {
    const { id } = await member();
    assert.deepEqual(await boss.read(pathOf(id)), { Items: [] });
    const first = await addPasskey(id, 'Phone');
    const second = await addPasskey(id, 'Laptop');
    const [{ CreatedAt, ...rest }, other] = (await boss.read(pathOf(id))).Items;
    assert.deepEqual(rest, { Id: first, Name: 'Phone', IsBackedUp: true, LastUsedAt: null });
    assert.deepEqual([other.Id, other.Name], [second, 'Laptop']);
    assert.ok(Math.abs(Date.now() - Date.parse(CreatedAt)) < 60_000);
  });

  it('can be removed: sessions end, the owner gets a mail, and the audit records it', async () => {
    const person = await member();
    const session = await login(person);
    const [lost, kept] = [await addPasskey(person.id, 'Lost'), await addPasskey(person.id, 'Kept')];
    await remove(person.id, lost).expect(204, '');
    assert.deepEqual(await boss.ids(pathOf(person.id)), [kept]);
    assert.equal(await standing(session.Token), 'session_deactivated');
    const mail = (await mailsTo(person.email)).at(-1) ?? assert.fail();
    // The administrator’s address is not the owner’s business.
    assert.deepEqual([mail.type, 'IpAddress' in mail.content], ['account.passkey-removed', false]);
    const removal = { action: 'account.passkey-removed', targetId: person.id } as const;
    assert.deepEqual(await history(removal, 'actorId', 'details'), [[boss.id, { PasskeyId: lost }]]);
    await remove(person.id, lost).expect(404);
  });

  it('of another account are not found', async () => {
    const [ann, ben] = [await member(), await member()];
    const bens = await addPasskey(ben.id, 'Ben’s');
    await remove(ann.id, bens).expect(problem('not_found'));
    assert.deepEqual(await boss.ids(pathOf(ben.id)), [bens]);
  });

  it('are removed once by concurrent requests, with one mail', async () => {
    const person = await member();
    const id = await addPasskey(person.id, 'Lost');
    const answers = await atOnce(5, () => remove(person.id, id));
    assert.deepEqual(statusesOf(answers), [204, 404, 404, 404, 404]);
    assert.equal((await mailsTo(person.email)).length, 1);
  });
});
