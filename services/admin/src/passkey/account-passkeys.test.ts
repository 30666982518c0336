import assert from 'node:assert/strict';
import { atOnce } from '@gatehouse/accounts/testing';

import { cast } from '../testing/cast.ts';

describe('the passkeys of an account', () => {
  const { addPasskey, audit, boss, login, mailsTo, member, standing } = cast();

  const list = (id: string) => boss.get(`/admin/account/${id}/passkey`);
  const remove = (id: string, passkeyId: string) => boss.delete(`/admin/account/${id}/passkey/${passkeyId}`);
  const listed = async (id: string): Promise<string[]> => {
    const { body } = await list(id).expect(200);
    return (body.Items as { Id: string }[]).map(({ Id }) => Id);
  };

  it('are listed oldest first, with the fields that their owner sees', async () => {
    const { id } = await member();
    assert.deepEqual((await list(id).expect(200)).body, { Items: [] });
    const first = await addPasskey(id, 'Phone');
    const second = await addPasskey(id, 'Laptop');
    const { body } = await list(id).expect(200);
    const shown = (body.Items as { Id: string; Name: string }[]).map(({ Id, Name }) => [Id, Name]);
    assert.deepEqual(shown, [
      [first, 'Phone'],
      [second, 'Laptop'],
    ]);
    const { CreatedAt, ...rest } = body.Items[0];
    assert.deepEqual(rest, { Id: first, Name: 'Phone', IsBackedUp: true, LastUsedAt: null });
    assert.ok(Math.abs(Date.now() - Date.parse(CreatedAt)) < 60_000);
  });

  it('can be removed: sessions end, the owner gets a mail, and the audit records it', async () => {
    const person = await member();
    const session = await login(person);
    const [lost, kept] = [await addPasskey(person.id, 'Lost'), await addPasskey(person.id, 'Kept')];
    await remove(person.id, lost).expect(204, '');
    assert.deepEqual(await listed(person.id), [kept]);
    assert.equal(await standing(session.Token), 'session_deactivated');
    const mail = (await mailsTo(person.email)).at(-1);
    assert.equal(mail?.type, 'account.passkey-removed');
    assert.ok(
      mail && !('IpAddress' in mail.content),
      'the administrator’s address is not the owner’s business',
    );
    const { entries } = await audit({ targetId: person.id });
    const removal = entries.find(({ action }) => action === 'account.passkey-removed');
    assert.equal(removal?.actorId, boss.id);
    assert.deepEqual(removal?.details, { PasskeyId: lost });
    await remove(person.id, lost).expect(404);
  });

  it('of another account are not found, and nothing changes', async () => {
    const [ann, ben] = [await member(), await member()];
    const sessions = [await login(ann), await login(ben)];
    const bens = await addPasskey(ben.id, 'Ben’s');
    assert.equal((await remove(ann.id, bens).expect(404)).body.code, 'not_found');
    assert.deepEqual(await listed(ben.id), [bens]);
    for (const { Token } of sessions) assert.equal(await standing(Token), 'User');
    for (const { email, id } of [ann, ben]) {
      assert.deepEqual(await mailsTo(email), []);
      assert.deepEqual((await audit({ targetId: id })).entries, []);
    }
  });

  it('are removed once by concurrent requests, with one mail', async () => {
    const person = await member();
    const id = await addPasskey(person.id, 'Lost');
    const answers = await atOnce(5, () => remove(person.id, id));
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    assert.equal(answers.filter(({ status }) => status === 404).length, 4);
    assert.equal((await mailsTo(person.email)).length, 1);
  });
});
