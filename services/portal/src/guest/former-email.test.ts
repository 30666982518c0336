import assert from 'node:assert/strict';
import { invitationTokenIn, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import { startPortal, type TestPortal } from '../testing/index.ts';

describe('a guest whose email differs from the invited one', () => {
  let portal: TestPortal;
  let token: string;
  let content: string;
  before(async () => {
    portal = await startPortal();
  });
  beforeEach(async () => {
    const owner = await portal.newAccount();
    token = (await portal.login(owner)).Token;
    content = await portal.newContent(owner);
  });
  after(() => portal.stop());

  const invite = async (email: string) => {
    const body = { Emails: [email], ContentDefinitionId: content };
    return (await portal.post('/account/invite-user', token, body).expect(200)).body.Items[0];
  };
  const newGuest = async (email = someEmail()) => {
    const { UserId } = await invite(email);
    const InvitationToken = invitationTokenIn(await portal.app.mailsTo(email));
    const given = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' };
    await portal.post('/account/register-guest', undefined, given).expect(200);
    return { id: UserId as string, email };
  };
  const moves = async (person: { id: string; email: string }) => {
    const session = await portal.login(person);
    const to = someEmail();
    await query(portal.app.db, 'update account set email = ?, email_key = ? where id = ?', [
      ...[to, emailKey(to), person.id],
    ]);
    return { session, to };
  };
  const remove = async (from: object) =>
    (await portal.post('/account/remove-user', token, { ...from, ContentId: content }).expect(200)).body
      .Items as object[];
  const isLetIn = async (who: { Token: string }) => {
    const caller = await portal.app.auth.authenticate(`Bearer ${who.Token}`);
    return caller.kind === 'refused' ? caller.code : 'let in';
  };

  it('is found by the invited email, without revealing the new one', async () => {
    const guest = await newGuest();
    const { session, to } = await moves(guest);
    assert.equal(await isLetIn(session), 'let in');
    assert.deepEqual(await remove({ Emails: [guest.email] }), [
      { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' },
    ]);
    assert.equal(await isLetIn(session), 'invite_deleted');
    assert.equal((await portal.app.mailsTo(to)).at(-1)?.type, 'guest.removed');
    assert.deepEqual(await remove({ Emails: [guest.email] }), [{ Email: guest.email, Result: 'NoAccess' }]);
  });

  it('is reported by the invited email when removed by id', async () => {
    const guest = await newGuest();
    await moves(guest);
    assert.deepEqual(await remove({ UserId: guest.id }), [
      { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' },
    ]);
  });

  it('is found by the new email as well', async () => {
    const guest = await newGuest();
    const { to } = await moves(guest);
    assert.deepEqual(await remove({ Emails: [to, guest.email] }), [
      { UserId: guest.id, Email: to, Result: 'AccessRevoked' },
      { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' },
    ]);
  });

  it('is removed together with a second guest with the same invited email', async () => {
    const first = await newGuest();
    const { session } = await moves(first);
    const second = await newGuest(first.email);
    assert.notEqual(second.id, first.id);
    const secondSession = await portal.login(second);
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
      [await isLetIn(session), await isLetIn(secondSession)],
      ['invite_deleted', 'invite_deleted'],
    );
    assert.equal((await portal.app.mailsTo(first.email)).at(-1)?.type, 'guest.removed');
  });

  it('can be an ordinary user with access', async () => {
    const user = await portal.newAccount();
    await invite(user.email);
    await moves(user);
    assert.deepEqual(await remove({ Emails: [user.email] }), [
      { UserId: user.id, Email: user.email, Result: 'AccessRevoked' },
    ]);
  });

  it('is not found by it for other content', async () => {
    const guest = await newGuest();
    const { session } = await moves(guest);
    const owner = await portal.newAccount();
    const other = await portal.newContent(owner);
    const asked = { Emails: [guest.email], ContentId: other };
    const { body } = await portal.post('/account/remove-user', await portal.login(owner), asked).expect(200);
    assert.deepEqual(body.Items, [{ Email: guest.email, Result: 'NoAccess' }]);
    assert.equal(await isLetIn(session), 'let in');
  });
});
