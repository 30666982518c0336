import assert from 'node:assert/strict';
import { invitationTokenIn, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { accounts, contentAccess, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../../testing/index.ts';

describe('sharing content as an administrator', () => {
  let admin: TestAdmin;
  let me: { id: string };
  let token: string;
  let content: string;
  before(async () => {
    admin = await startAdmin();
  });
  beforeEach(async () => {
    me = await admin.newAccount({ role: 'Admin', displayName: 'Ada' });
    token = (await admin.login(me)).Token;
    content = await admin.newContent(await admin.newAccount());
  });
  after(() => admin.stop());

  const at = (verb: 'invite' | 'remove', id = content) => `/admin/content-definition/${id}/${verb}`;
  const items = async (verb: 'invite' | 'remove', body: object) =>
    (await admin.post(at(verb), token, body).expect(200)).body.Items;
  const auditOf = async (accountId: string) =>
    (await readAudit(admin.app)).entries
      .filter(({ targetId }) => targetId === accountId)
      .map(({ action, actorKind, actorId, details }) => [action, actorKind, actorId, details]);

  it('invites new people by a link in the administrator’s name, and gives existing accounts access at once', async () => {
    const [stranger, member] = [someEmail(), await admin.newAccount()];
    const [first, second] = await items('invite', {
      Emails: [stranger, member.email, stranger.toUpperCase()],
    });
    assert.deepEqual([first.Email, first.Result], [stranger, 'Invited']);
    assert.deepEqual(second, { Email: member.email, UserId: member.id, Result: 'AccessGranted' });
    const mails = await admin.app.mailsTo(stranger);
    assert.match(invitationTokenIn(mails), /^[A-Za-z0-9_-]{43}$/);
    assert.ok(mails[0] && 'InviterName' in mails[0].content && mails[0].content.InviterName === 'Ada');
    const again = await items('invite', { Emails: [stranger, member.email] });
    assert.deepEqual(
      again.map(({ Result }: { Result: string }) => Result),
      ['Reinvited', 'AlreadyHasAccess'],
    );
    const details = { ContentDefinitionId: content, Result: 'AccessGranted' };
    assert.deepEqual(await auditOf(member.id), [['user.invited', 'Account', me.id, details]]);
  });

  it('revokes access and invitations, by id or by address, and ends the sessions of guests', async () => {
    const guest = await admin.newAccount({ role: 'Guest' });
    await inTransaction(admin.app.db, NO_DEADLINE, (tx) =>
      contentAccess.grant(tx, { contentDefinitionId: content, accountId: guest.id, grantedBy: undefined }),
    );
    const session = await admin.login(guest);
    const invited = someEmail();
    const [{ UserId }] = await items('invite', { Emails: [invited] });
    const nobody = someEmail();
    assert.deepEqual(await items('remove', { Emails: [invited, nobody] }), [
      { UserId, Email: invited, Result: 'InvitationDeleted' },
      { Email: nobody, Result: 'NoAccess' },
    ]);
    const revoked = { UserId: guest.id, Email: guest.email, Result: 'AccessRevoked' };
    assert.deepEqual(await items('remove', { UserId: guest.id }), [revoked]);
    assert.deepEqual(await items('remove', { UserId: guest.id }), [{ UserId: guest.id, Result: 'NoAccess' }]);
    assert.equal(
      (await admin.get('/admin/content-definition', session).expect(401)).body.code,
      'invite_deleted',
    );
    assert.equal((await accounts.findById(admin.app.db, guest.id))?.isExpired, true);
    const details = { ContentDefinitionId: content, Result: 'AccessRevoked' };
    assert.deepEqual(await auditOf(guest.id), [['user.removed', 'Account', me.id, details]]);
  });

  it('gives access with an expiry, also to members who have access already', async () => {
    const member = await admin.newAccount();
    const ExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await items('invite', { Emails: [member.email] });
    const [{ Result }] = await items('invite', { Emails: [member.email], ExpiresAt });
    assert.equal(Result, 'AlreadyHasAccess');
    const path = `/admin/content-definition/${content}/member?relation=access`;
    const { Items } = (await admin.get(path, token).expect(200)).body;
    assert.equal(Items[0].ExpiresAt, ExpiresAt);
    const past = { Emails: [member.email], ExpiresAt: '2020-01-01T00:00:00Z' };
    const { body } = await admin.post(at('invite'), token, past).expect(400);
    assert.equal(body.errors[0].pointer, '/ExpiresAt');
  });

  it('reports all errors and does nothing', async () => {
    const email = someEmail();
    for (const [verb, body, pointer] of [
      ['invite', {}, '/Emails'],
      ['invite', { Emails: [] }, '/Emails'],
      ['invite', { Emails: [email, 'nobody'] }, '/Emails/1'],
      ['invite', { Emails: Array.from({ length: 101 }, someEmail) }, '/Emails'],
      ['invite', { Emails: [email], ContentDefinitionId: content }, '/ContentDefinitionId'],
      ['remove', {}, '/UserId'],
      ['remove', { UserId: newId(), Emails: [email] }, '/UserId'],
      ['remove', { UserId: 'x' }, '/UserId'],
    ] as const) {
      const { body: problem } = await admin.post(at(verb), token, body).expect(400);
      assert.equal(problem.errors[0].pointer, pointer, JSON.stringify(body).slice(0, 80));
    }
    assert.equal((await admin.app.mailsTo(email)).length, 0);
    assert.equal(await accounts.findByEmailKey(admin.app.db, email), undefined);
    await admin.post(at('invite', newId()), token, { Emails: [email] }).expect(404);
    await admin.post(at('remove', newId()), token, { Emails: [email] }).expect(404);
  });

  it('sends at most two hundred invitations a day per administrator, all of a request or none', async () => {
    const many = (count: number) => Array.from({ length: count }, someEmail);
    await items('invite', { Emails: many(100) });
    await items('invite', { Emails: many(100) });
    const [one = ''] = many(1);
    const { headers } = await admin.post(at('invite'), token, { Emails: [one] }).expect(429);
    assert.ok(Number(headers['retry-after']) > 80_000);
    assert.equal(await accounts.findByEmailKey(admin.app.db, one), undefined);
  });
});
