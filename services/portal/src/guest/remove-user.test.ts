import assert from 'node:assert/strict';
import { someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

describe('POST /account/remove-user', () => {
  const people = cast();
  const { accept, another, app, eventsOf, linkTo, login, mailsTo, member, sql, standing } = people;
  const olga = people.useOwner();

  const invite = async (email: string, to = olga.content) =>
    olga.invites([email], { ContentDefinitionId: to }).expect(200);
  const items = async (from: object) => (await olga.removes(from).expect(200)).body.Items as object[];
  const find = (id: string) => accounts.findById(app().db, id);

  it('ends a guest’s sessions at once and expires a guest without content', async () => {
    const guest = await olga.newGuest();
    const session = await login(guest);
    assert.equal(await standing(session.Token), 'Guest');
    const revoked = { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' };
    assert.deepEqual(await items({ UserId: guest.id }), [revoked]);
    assert.equal(await standing(session.Token), 'invite_deleted');
    const ended = await sql('select status, end_reason from user_session where id = ?', [session.sessionId]);
    assert.deepEqual(ended, [{ status: 8, end_reason: 'access_revoked' }]);
    assert.equal((await find(guest.id))?.isExpired, true);
    await assert.rejects(login(guest), /"condition":8/);
    assert.equal((await mailsTo(guest.email)).at(-1)?.type, 'guest.removed');
    assert.deepEqual(await items({ UserId: guest.id }), [{ UserId: guest.id, Result: 'NoAccess' }]);
  });

  it('allows a guest with other content to log in again', async () => {
    const guest = await olga.newGuest();
    await invite(guest.email, await people.newContent(olga));
    const session = await login(guest);
    await items({ Emails: [guest.email.toUpperCase()] });
    assert.equal(await standing(session.Token), 'invite_deleted');
    assert.equal(await standing((await login(guest)).Token), 'Guest');
  });

  it('deletes pending invitations, and has the same response for unknown emails', async () => {
    const pending = someEmail();
    const { body } = await invite(pending);
    const id = body.Items[0].UserId as string;
    const stranger = await member();
    const unknown = someEmail();
    assert.deepEqual(await items({ Emails: [unknown, pending, stranger.email, pending] }), [
      { Email: unknown, Result: 'NoAccess' },
      { UserId: id, Email: pending, Result: 'InvitationDeleted' },
      { Email: stranger.email, Result: 'NoAccess' },
    ]);
    assert.equal((await find(id))?.isExpired, true);
    assert.deepEqual(await items({ UserId: stranger.id }), [{ UserId: stranger.id, Result: 'NoAccess' }]);
    assert.equal((await mailsTo(pending)).length, 1);
  });

  it('does not end an ordinary user’s sessions', async () => {
    const user = await member();
    await invite(user.email);
    const session = await login(user);
    const revoked = { UserId: user.id, Email: user.email, Result: 'AccessRevoked' };
    assert.deepEqual(await items({ UserId: user.id }), [revoked]);
    assert.equal(await standing(session.Token), 'User');
    assert.equal((await find(user.id))?.isExpired, false);
  });

  it('makes an expired guest pending on a new invitation', async () => {
    const guest = await olga.newGuest();
    const { sessionId } = await login(guest);
    await people.addPasskey(guest.id);
    await items({ UserId: guest.id });
    const { body } = await invite(guest.email);
    // After starting over, none of the earlier credentials exist.
    assert.deepEqual(await sql('select id from passkey where account_id = ?', [guest.id]), []);
    assert.deepEqual(body.Items, [{ Email: guest.email, UserId: guest.id, Result: 'Invited' }]);
    const reading = await app().sessionCache.read(guest.id, sessionId);
    assert.deepEqual([reading?.session.status, reading?.session.accountExpiresAt], [8, undefined]);
    await assert.rejects(login(guest), /"condition":9/);
    const InvitationToken = await linkTo(guest.email);
    await accept(InvitationToken, { DisplayName: 'Gus again' }).expect(200);
    assert.equal(await standing((await login(guest)).Token), 'Guest');
  });

  it('removes a guest without content if configured, and refuses the session', async () => {
    const removing = await another({ GUEST_WITHOUT_CONTENT: 'remove' });
    const guest = await olga.newGuest(undefined, removing);
    const session = await login(guest);
    await olga.removes({ UserId: guest.id }, {}, removing).expect(200);
    assert.equal(await find(guest.id), undefined);
    assert.equal(await standing(session.Token), 'invite_deleted');
    const deleted = { UserId: guest.id, Reason: 'guest_without_content' };
    assert.deepEqual(await eventsOf(guest.id, 'account.deleted'), [['account.deleted', deleted]]);
    const again = await olga.invite(guest.email, {}, removing);
    assert.equal(again.Result, 'Invited');
    assert.notEqual(again.UserId, guest.id);
  });

  it('publishes who has removed the last content or invited again', async () => {
    const { id, email } = await olga.newGuest();
    await switchOnTwoFactor(app(), id);
    for (let time = 0; time < 2; time += 1) await items({ UserId: id });
    await invite(email);
    await accept(await linkTo(email)).expect(200);
    const events = await eventsOf(id, 'account.%');
    const own = events.filter(([type]) => type !== 'account.two-factor-enabled');
    const updated = (Changed: string, ChangedBy: string) => [
      'account.updated',
      { UserId: id, Changed: [Changed], ChangedBy },
    ];
    assert.deepEqual(own, [
      updated('DisplayName', id),
      ...[1, 2].map(() => updated('ExpiresAt', olga.id)),
      ['account.two-factor-disabled', { UserId: id }],
    ]);
  });

  it('accepts either an id or emails', async () => {
    for (const from of [{}, { UserId: newId(), Emails: [someEmail()] }]) {
      const { body } = await olga.removes(from).expect(400);
      assert.deepEqual([body.code, body.errors.length], ['invalid_request', 2]);
    }
  });

  describe('of a guest whose email differs from the invited one', () => {
    const moves = async (person: { id: string; email: string }) => {
      const session = await login(person);
      const to = someEmail();
      await sql('update account set email = ?, email_key = ? where id = ?', [to, emailKey(to), person.id]);
      return { session, to };
    };

    it('is found by the invited email, without revealing the new one', async () => {
      const guest = await olga.newGuest();
      const { session, to } = await moves(guest);
      assert.equal(await standing(session.Token), 'Guest');
      const revoked = { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' };
      assert.deepEqual(await items({ Emails: [guest.email] }), [revoked]);
      assert.equal(await standing(session.Token), 'invite_deleted');
      assert.equal((await mailsTo(to)).at(-1)?.type, 'guest.removed');
      assert.deepEqual(await items({ Emails: [guest.email] }), [{ Email: guest.email, Result: 'NoAccess' }]);
    });

    it('is found by the id and by the new email as well, and can be an ordinary user', async () => {
      const [one, other, user] = [await olga.newGuest(), await olga.newGuest(), await member()];
      await olga.invite(user.email);
      const [, { to }] = [await moves(one), await moves(other), await moves(user)];
      const Result = 'AccessRevoked';
      assert.deepEqual(await items({ UserId: one.id }), [{ UserId: one.id, Email: one.email, Result }]);
      assert.deepEqual(await items({ Emails: [to, other.email, user.email] }), [
        { UserId: other.id, Email: to, Result },
        { UserId: other.id, Email: other.email, Result },
        { UserId: user.id, Email: user.email, Result },
      ]);
    });

    it('is removed together with a second guest with the same invited email', async () => {
      const first = await olga.newGuest();
      const { session } = await moves(first);
      const second = await olga.newGuest(first.email);
      assert.notEqual(second.id, first.id);
      const secondSession = await login(second);
      const removed = await items({ Emails: [first.email] });
      const Result = 'AccessRevoked';
      const expected = [first, second].map(({ id }) => ({ UserId: id, Email: first.email, Result }));
      assert.deepEqual(new Set(removed), new Set(expected));
      for (const { Token } of [session, secondSession]) assert.equal(await standing(Token), 'invite_deleted');
      assert.equal((await mailsTo(first.email)).at(-1)?.type, 'guest.removed');
    });

    it('is not found by it for other content', async () => {
      const guest = await olga.newGuest();
      const { session } = await moves(guest);
      const owner = await member();
      const other = await people.newContent(owner);
      const asked = { Emails: [guest.email], ContentId: other };
      const { body } = await people.post('/account/remove-user', await login(owner), asked).expect(200);
      assert.deepEqual(body.Items, [{ Email: guest.email, Result: 'NoAccess' }]);
      assert.equal(await standing(session.Token), 'Guest');
    });
  });
});
