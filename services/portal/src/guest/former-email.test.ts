import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { emailKey } from '@gatehouse/schema';
import { cast } from '../testing/cast.ts';

describe('a guest whose email differs from the invited one', () => {
  const { login, mailsTo, member, newContent, post, sql, standing, useOwner } = cast();
  const olga = useOwner();

  const moves = async (person: { id: string; email: string }) => {
    const session = await login(person);
    const to = someEmail();
    await sql('update account set email = ?, email_key = ? where id = ?', [...[to, emailKey(to), person.id]]);
    return { session, to };
  };
  const remove = async (from: object) => (await olga.removes(from).expect(200)).body.Items as object[];

  it('is found by the invited email, without revealing the new one', async () => {
    const guest = await olga.newGuest();
    const { session, to } = await moves(guest);
    assert.equal(await standing(session.Token), 'Guest');
    assert.deepEqual(await remove({ Emails: [guest.email] }), [
      { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' },
    ]);
    assert.equal(await standing(session.Token), 'invite_deleted');
    assert.equal((await mailsTo(to)).at(-1)?.type, 'guest.removed');
    assert.deepEqual(await remove({ Emails: [guest.email] }), [{ Email: guest.email, Result: 'NoAccess' }]);
  });

  it('is reported by the invited email when removed by id', async () => {
    const guest = await olga.newGuest();
    await moves(guest);
    assert.deepEqual(await remove({ UserId: guest.id }), [
      { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' },
    ]);
  });

  it('is found by the new email as well', async () => {
    const guest = await olga.newGuest();
    const { to } = await moves(guest);
    assert.deepEqual(await remove({ Emails: [to, guest.email] }), [
      { UserId: guest.id, Email: to, Result: 'AccessRevoked' },
      { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' },
    ]);
  });

  it('is removed together with a second guest with the same invited email', async () => {
    const first = await olga.newGuest();
    const { session } = await moves(first);
    const second = await olga.newGuest(first.email);
    assert.notEqual(second.id, first.id);
    const secondSession = await login(second);
    const items = await remove({ Emails: [first.email] });
    assert.deepEqual(
      new Set(items.map((item) => JSON.stringify(item))),
      new Set(
        [first, second].map(({ id }) =>
          JSON.stringify({ UserId: id, Email: first.email, Result: 'AccessRevoked' }),
        ),
      ),
    );
    assert.deepEqual(
      [await standing(session.Token), await standing(secondSession.Token)],
      ['invite_deleted', 'invite_deleted'],
    );
    assert.equal((await mailsTo(first.email)).at(-1)?.type, 'guest.removed');
  });

  it('can be an ordinary user with access', async () => {
    const user = await member();
    await olga.invite(user.email);
    await moves(user);
    assert.deepEqual(await remove({ Emails: [user.email] }), [
      { UserId: user.id, Email: user.email, Result: 'AccessRevoked' },
    ]);
  });

  it('is not found by it for other content', async () => {
    const guest = await olga.newGuest();
    const { session } = await moves(guest);
    const owner = await member();
    const other = await newContent(owner);
    const asked = { Emails: [guest.email], ContentId: other };
    const { body } = await post('/account/remove-user', await login(owner), asked).expect(200);
    assert.deepEqual(body.Items, [{ Email: guest.email, Result: 'NoAccess' }]);
    assert.equal(await standing(session.Token), 'Guest');
  });
});
