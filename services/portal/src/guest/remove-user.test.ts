import assert from 'node:assert/strict';
import { deleteContent } from '@gatehouse/accounts';
import { invitationTokenIn, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startPortal, type TestPortal } from '../testing/index.ts';

describe('POST /account/remove-user', () => {
  let portal: TestPortal;
  let owner: { id: string; email: string };
  let token: string;
  let content: string;
  before(async () => {
    portal = await startPortal();
  });
  beforeEach(async () => {
    owner = await portal.newAccount();
    token = (await portal.login(owner)).Token;
    content = await portal.newContent(owner);
  });
  after(() => portal.stop());

  const invite = (email: string, to = content, app = portal) =>
    app.post('/account/invite-user', token, { Emails: [email], ContentDefinitionId: to }).expect(200);
  const newGuest = async (to = content, app = portal) => {
    const email = someEmail();
    const { body } = await invite(email, to, app);
    const InvitationToken = invitationTokenIn(await portal.app.mailsTo(email));
    await app
      .post('/account/register-guest', undefined, { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' })
      .expect(200);
    return { id: body.Items[0].UserId as string, email };
  };
  const remove = (from: object, ContentId = content, app = portal) =>
    app.post('/account/remove-user', token, { ...from, ContentId });
  const items = async (from: object) => (await remove(from).expect(200)).body.Items as object[];
  const find = (id: string) => accounts.findById(portal.app.db, id);
  const isLetIn = async (who: { Token: string }) => {
    const caller = await portal.app.auth.authenticate(`Bearer ${who.Token}`);
    return caller.kind === 'refused' ? caller.code : 'let in';
  };

  it('ends a guest’s sessions at once and expires a guest without content', async () => {
    const guest = await newGuest();
    const session = await portal.login(guest);
    assert.equal(await isLetIn(session), 'let in');
    assert.deepEqual(await items({ UserId: guest.id }), [
      { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' },
    ]);
    assert.equal(await isLetIn(session), 'invite_deleted');
    const [row] = await query<{ status: number; reason: string }>(
      portal.app.db,
      'select status, end_reason as reason from user_session where id = ?',
      [session.sessionId],
    );
    assert.deepEqual([row?.status, row?.reason], [8, 'access_revoked']);
    assert.equal((await find(guest.id))?.isExpired, true);
    await assert.rejects(portal.login(guest), /"condition":8/);
    assert.equal((await portal.app.mailsTo(guest.email)).at(-1)?.type, 'guest.removed');
    assert.deepEqual(await items({ UserId: guest.id }), [{ UserId: guest.id, Result: 'NoAccess' }]);
  });

  it('allows a guest with other content to log in again', async () => {
    const guest = await newGuest();
    await invite(guest.email, await portal.newContent(owner));
    const session = await portal.login(guest);
    await items({ Emails: [guest.email.toUpperCase()] });
    assert.equal(await isLetIn(session), 'invite_deleted');
    assert.equal(await isLetIn(await portal.login(guest)), 'let in');
  });

  it('deletes pending invitations, and has the same response for unknown emails', async () => {
    const pending = someEmail();
    const { body } = await invite(pending);
    const id = body.Items[0].UserId as string;
    const stranger = await portal.newAccount();
    const unknown = someEmail();
    assert.deepEqual(await items({ Emails: [unknown, pending, stranger.email, pending] }), [
      { Email: unknown, Result: 'NoAccess' },
      { UserId: id, Email: pending, Result: 'InvitationDeleted' },
      { Email: stranger.email, Result: 'NoAccess' },
    ]);
    assert.equal((await find(id))?.isExpired, true);
    assert.deepEqual(await items({ UserId: stranger.id }), [{ UserId: stranger.id, Result: 'NoAccess' }]);
    assert.equal((await portal.app.mailsTo(pending)).length, 1);
  });

  it('does not end an ordinary user’s sessions', async () => {
    const user = await portal.newAccount();
    await invite(user.email);
    const session = await portal.login(user);
    assert.deepEqual(await items({ UserId: user.id }), [
      { UserId: user.id, Email: user.email, Result: 'AccessRevoked' },
    ]);
    assert.equal(await isLetIn(session), 'let in');
    assert.equal((await find(user.id))?.isExpired, false);
  });

  it('makes an expired guest pending on a new invitation', async () => {
    const guest = await newGuest();
    const { sessionId } = await portal.login(guest);
    await query(
      portal.app.db,
      `insert into passkey (id, account_id, credential_id, public_key, algorithm, is_backup_eligible, is_backed_up, name)
       values (gen_random_uuid(), ?, decode(md5(random()::text), 'hex'), '', -7, true, true, 'Key')`,
      [guest.id],
    );
    await items({ UserId: guest.id });
    const { body } = await invite(guest.email);
    // After starting over, none of the earlier credentials exist.
    const keys = await query(portal.app.db, 'select id from passkey where account_id = ?', [guest.id]);
    assert.deepEqual(keys, []);
    assert.deepEqual(body.Items, [{ Email: guest.email, UserId: guest.id, Result: 'Invited' }]);
    const reading = await portal.app.sessionCache.read(guest.id, sessionId);
    assert.deepEqual([reading?.session.status, reading?.session.accountExpiresAt], [8, undefined]);
    await assert.rejects(portal.login(guest), /"condition":9/);
    const InvitationToken = invitationTokenIn(await portal.app.mailsTo(guest.email));
    const given = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus again' };
    await portal.post('/account/register-guest', undefined, given).expect(200);
    assert.equal(await isLetIn(await portal.login(guest)), 'let in');
  });

  it('removes a guest without content if configured, and refuses the session', async () => {
    const removing = await startPortal({ GUEST_WITHOUT_CONTENT: 'remove' }, portal);
    try {
      const guest = await newGuest(content, removing);
      const session = await portal.login(guest);
      await remove({ UserId: guest.id }, content, removing).expect(200);
      assert.equal(await find(guest.id), undefined);
      assert.equal(await isLetIn(session), 'invite_deleted');
      const { body } = await invite(guest.email, content, removing);
      assert.equal(body.Items[0].Result, 'Invited');
      assert.notEqual(body.Items[0].UserId, guest.id);
    } finally {
      await removing.stop();
    }
  });

  it('accepts either an id or emails', async () => {
    for (const from of [{}, { UserId: newId(), Emails: [someEmail()] }]) {
      const { body } = await remove(from).expect(400);
      assert.deepEqual([body.code, body.errors.length], ['invalid_request', 2]);
    }
    await remove({ Emails: [] }).expect(400);
    const { body } = await remove({ Emails: [someEmail(), 'x'] }).expect(400);
    assert.equal(body.errors[0].pointer, '/Emails/1');
  });

  it('ends guests’ sessions and invitations when the content is deleted', async () => {
    const guest = await newGuest();
    const session = await portal.login(guest);
    const pending = someEmail();
    const { body } = await invite(pending);
    const user = await portal.login(await portal.newAccount());
    assert.equal(
      await deleteContent(portal.app, content, { kind: 'System' }, { traceId: 'x', dueAt: Infinity }),
      true,
    );
    assert.equal(
      await deleteContent(portal.app, content, { kind: 'System' }, { traceId: 'x', dueAt: Infinity }),
      false,
    );
    assert.equal(await isLetIn(session), 'invite_deleted');
    assert.equal(await isLetIn(user), 'let in');
    for (const id of [guest.id, body.Items[0].UserId]) assert.equal((await find(id))?.isExpired, true);
  });
});
