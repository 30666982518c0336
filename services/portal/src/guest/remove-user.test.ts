import assert from 'node:assert/strict';
import { deleteContent } from '@gatehouse/accounts';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

describe('POST /account/remove-user', () => {
  const { accept, another, app, linkTo, login, mailsTo, member, newContent, sql, standing, useOwner } =
    cast();
  const olga = useOwner();

  const invite = async (email: string, to = olga.content) =>
    olga.invites([email], { ContentDefinitionId: to }).expect(200);
  const items = async (from: object) => (await olga.removes(from).expect(200)).body.Items as object[];
  const find = (id: string) => accounts.findById(app().db, id);

  it('ends a guest’s sessions at once and expires a guest without content', async () => {
    const guest = await olga.newGuest();
    const session = await login(guest);
    assert.equal(await standing(session.Token), 'Guest');
    assert.deepEqual(await items({ UserId: guest.id }), [
      { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' },
    ]);
    assert.equal(await standing(session.Token), 'invite_deleted');
    const [row] = await sql<{ status: number; reason: string }>(
      'select status, end_reason as reason from user_session where id = ?',
      [session.sessionId],
    );
    assert.deepEqual([row?.status, row?.reason], [8, 'access_revoked']);
    assert.equal((await find(guest.id))?.isExpired, true);
    await assert.rejects(login(guest), /"condition":8/);
    assert.equal((await mailsTo(guest.email)).at(-1)?.type, 'guest.removed');
    assert.deepEqual(await items({ UserId: guest.id }), [{ UserId: guest.id, Result: 'NoAccess' }]);
  });

  it('allows a guest with other content to log in again', async () => {
    const guest = await olga.newGuest();
    await invite(guest.email, await newContent(olga));
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
    assert.deepEqual(await items({ UserId: user.id }), [
      { UserId: user.id, Email: user.email, Result: 'AccessRevoked' },
    ]);
    assert.equal(await standing(session.Token), 'User');
    assert.equal((await find(user.id))?.isExpired, false);
  });

  it('makes an expired guest pending on a new invitation', async () => {
    const guest = await olga.newGuest();
    const { sessionId } = await login(guest);
    await sql(
      `insert into passkey (id, account_id, credential_id, public_key, algorithm, is_backup_eligible, is_backed_up, name)
       values (gen_random_uuid(), ?, decode(md5(random()::text), 'hex'), '', -7, true, true, 'Key')`,
      [guest.id],
    );
    await items({ UserId: guest.id });
    const { body } = await invite(guest.email);
    // After starting over, none of the earlier credentials exist.
    const keys = await sql('select id from passkey where account_id = ?', [guest.id]);
    assert.deepEqual(keys, []);
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
    const again = await olga.invite(guest.email, {}, removing);
    assert.equal(again.Result, 'Invited');
    assert.notEqual(again.UserId, guest.id);
  });

  it('accepts either an id or emails', async () => {
    for (const from of [{}, { UserId: newId(), Emails: [someEmail()] }]) {
      const { body } = await olga.removes(from).expect(400);
      assert.deepEqual([body.code, body.errors.length], ['invalid_request', 2]);
    }
    await olga.removes({ Emails: [] }).expect(400);
    const { body } = await olga.removes({ Emails: [someEmail(), 'x'] }).expect(400);
    assert.equal(body.errors[0].pointer, '/Emails/1');
  });

  it('ends guests’ sessions and invitations when the content is deleted', async () => {
    const guest = await olga.newGuest();
    const session = await login(guest);
    const pending = someEmail();
    const { body } = await invite(pending);
    const user = await login(await member());
    assert.equal(
      await deleteContent(app(), olga.content, { kind: 'System' }, { traceId: 'x', dueAt: Infinity }),
      true,
    );
    assert.equal(
      await deleteContent(app(), olga.content, { kind: 'System' }, { traceId: 'x', dueAt: Infinity }),
      false,
    );
    assert.equal(await standing(session.Token), 'invite_deleted');
    assert.equal(await standing(user.Token), 'User');
    for (const id of [guest.id, body.Items[0].UserId]) assert.equal((await find(id))?.isExpired, true);
  });
});
