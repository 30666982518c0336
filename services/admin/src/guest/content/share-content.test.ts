import assert from 'node:assert/strict';
import { invitationTokenIn, someEmail } from '@gatehouse/accounts/testing';
import { accounts, contentAccess, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { cast } from '../../testing/cast.ts';

describe('sharing content as an administrator', () => {
  const { administrator, app, audit, get, login, mailsTo, member, newContent } = cast();
  let boss: Awaited<ReturnType<typeof administrator>>;
  let content: string;
  beforeEach(async () => {
    boss = await administrator();
    await boss.set(`display_name = 'Ada'`);
    content = await newContent(await member());
  });

  const at = (verb: 'invite' | 'remove', id = content) => `/admin/content-definition/${id}/${verb}`;
  const items = async (verb: 'invite' | 'remove', body: object) =>
    (await boss.post(at(verb), body).expect(200)).body.Items;
  const auditOf = async (accountId: string) =>
    (await audit()).entries
      .filter(({ targetId }) => targetId === accountId)
      .map(({ action, actorKind, actorId, details }) => [action, actorKind, actorId, details]);

  it('invites new people by a link in the administrator’s name, and gives existing accounts access at once', async () => {
    const [stranger, friend] = [someEmail(), await member()];
    const [first, second] = await items('invite', {
      Emails: [stranger, friend.email, stranger.toUpperCase()],
    });
    assert.deepEqual([first.Email, first.Result], [stranger, 'Invited']);
    assert.deepEqual(second, { Email: friend.email, UserId: friend.id, Result: 'AccessGranted' });
    const mails = await mailsTo(stranger);
    assert.match(invitationTokenIn(mails), /^[A-Za-z0-9_-]{43}$/);
    assert.ok(mails[0] && 'InviterName' in mails[0].content && mails[0].content.InviterName === 'Ada');
    const again = await items('invite', { Emails: [stranger, friend.email] });
    assert.deepEqual(
      again.map(({ Result }: { Result: string }) => Result),
      ['Reinvited', 'AlreadyHasAccess'],
    );
    const details = { ContentDefinitionId: content, Result: 'AccessGranted' };
    assert.deepEqual(await auditOf(friend.id), [['user.invited', 'Account', boss.id, details]]);
  });

  it('revokes access and invitations, by id or by address, and ends the sessions of guests', async () => {
    const guest = await member({ role: 'Guest' });
    await inTransaction(app().db, NO_DEADLINE, (tx) =>
      contentAccess.grant(tx, { contentDefinitionId: content, accountId: guest.id, grantedBy: undefined }),
    );
    const session = await login(guest);
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
    assert.equal((await get('/admin/content-definition', session).expect(401)).body.code, 'invite_deleted');
    assert.equal((await accounts.findById(app().db, guest.id))?.isExpired, true);
    const details = { ContentDefinitionId: content, Result: 'AccessRevoked' };
    assert.deepEqual(await auditOf(guest.id), [['user.removed', 'Account', boss.id, details]]);
  });

  it('gives access with an expiry, also to members who have access already', async () => {
    const friend = await member();
    const ExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await items('invite', { Emails: [friend.email] });
    const [{ Result }] = await items('invite', { Emails: [friend.email], ExpiresAt });
    assert.equal(Result, 'AlreadyHasAccess');
    const path = `/admin/content-definition/${content}/member?relation=access`;
    const { Items } = await boss.read(path);
    assert.equal(Items[0].ExpiresAt, ExpiresAt);
    const past = { Emails: [friend.email], ExpiresAt: '2020-01-01T00:00:00Z' };
    const { body } = await boss.post(at('invite'), past).expect(400);
    assert.equal(body.errors[0].pointer, '/ExpiresAt');
  });

  it('reports all errors and does nothing', async () => {
    const email = someEmail();
    for (const [verb, body, pointer] of [
      ['invite', { Emails: [email, 'nobody'] }, '/Emails/1'],
      ['invite', { Emails: Array.from({ length: 101 }, someEmail) }, '/Emails'],
      ['remove', {}, '/UserId'],
      ['remove', { UserId: newId(), Emails: [email] }, '/UserId'],
    ] as const) {
      const { body: problem } = await boss.post(at(verb), body).expect(400);
      assert.equal(problem.errors[0].pointer, pointer, JSON.stringify(body).slice(0, 80));
    }
    assert.equal((await mailsTo(email)).length, 0);
    assert.equal(await accounts.findByEmailKey(app().db, email), undefined);
  });

  it('sends at most two hundred invitations a day per administrator, all of a request or none', async () => {
    const many = (count: number) => Array.from({ length: count }, someEmail);
    await items('invite', { Emails: many(100) });
    await items('invite', { Emails: many(100) });
    const [one = ''] = many(1);
    const { headers } = await boss.post(at('invite'), { Emails: [one] }).expect(429);
    assert.ok(Number(headers['retry-after']) > 80_000);
    assert.equal(await accounts.findByEmailKey(app().db, one), undefined);
  });
});
