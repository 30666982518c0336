import assert from 'node:assert/strict';
import { invitationTokenIn, someEmail } from '@gatehouse/accounts/testing';
import { hashInvitationToken } from '@gatehouse/auth-core';
import { accounts, invitations } from '@gatehouse/db';
import { PATH, useSessions, problem } from './testing.ts';

describe('POST /admin/user-session for the invitations of a pending guest', () => {
  const at = useSessions();

  /** Invites an email to new content; returns the guest's id and the invitation token. */
  const invite = async (email = someEmail()) => {
    const inviter = await at.administrator();
    const contentId = await at.newContent();
    const inviting = inviter.post(`/admin/content-definition/${contentId}/invite`, { Emails: [email] });
    const [{ UserId }] = (await inviting.expect(200)).body.Items;
    return { email, contentId, inviter, UserId, token: await linkTo(email) };
  };
  const linkTo = async (email: string) => invitationTokenIn(await at.mailsTo(email));
  const opens = async (token: string) =>
    (await invitations.findByToken(at.app().db, hashInvitationToken(token))) !== undefined;

  it('deletes them by 8; by 6 restores them and mails them again', async () => {
    const { email, contentId, UserId, token } = await invite();
    const { body: deleted } = await at.change({ UserId, Status: 8 }).expect(200);
    assert.equal(deleted.Count, 1);
    const [item] = deleted.Items;
    const { Status, ContentDefinitionId, IsGuest, LastSeenAt } = item;
    assert.deepEqual([item.UserId, item.Email, IsGuest], [UserId, email, true]);
    assert.deepEqual([Status, ContentDefinitionId, LastSeenAt], [8, contentId, null]);
    assert.ok(item.EndedAt);
    assert.equal(await opens(token), false);
    assert.equal((await accounts.findById(at.app().db, UserId))?.isExpired, true);

    const { body: restored } = await at.change({ UserId, Status: 6 }).expect(200);
    assert.equal(restored.Count, 1);
    const shown = [restored.Items[0].Id, restored.Items[0].Status, restored.Items[0].EndedAt];
    assert.deepEqual(shown, [item.Id, 6, null]);
    const renewed = await linkTo(email);
    assert.notEqual(renewed, token);
    assert.deepEqual([await opens(renewed), await opens(token)], [true, false]);
    assert.equal((await accounts.findById(at.app().db, UserId))?.isExpired, false);
  });

  it('handles all of a guest together, and does nothing the second time', async () => {
    const email = someEmail();
    const [one, two] = [await invite(email), await invite(email)];
    const { UserId } = one;
    const countOf = async (Status: number) => (await at.change({ UserId, Status }).expect(200)).body.Count;
    assert.deepEqual([await countOf(8), await countOf(8)], [2, 0]);
    assert.deepEqual([await countOf(6), await countOf(6)], [2, 0]);
    assert.deepEqual([await opens(one.token), await opens(two.token)], [false, false]);
    const statement = `select action, count(*)::int as n from audit
       where details ->> 'UserId' = ? and target_kind = 'Invitation' and actor_id = ?
       group by action order by action`;
    assert.deepEqual(await at.sql(statement, [UserId, at.boss.id]), [
      { action: 'invitation.deleted', n: 2 },
      { action: 'invitation.restored', n: 2 },
    ]);
    const expiry = ['account.updated', { UserId, Changed: ['ExpiresAt'], ChangedBy: at.boss.id }];
    assert.deepEqual(await at.eventsOf(UserId, 'account.updated'), [expiry, expiry]);
  });

  it('does not restore invitations whose inviter may no longer invite', async () => {
    const { inviter, UserId } = await invite();
    await at.change({ UserId, Status: 8 }).expect(200);
    await inviter.set('is_disabled = true');
    await at.change({ UserId, Status: 6 }).expect(problem('conflict'));
    assert.equal((await accounts.findById(at.app().db, UserId))?.isExpired, true);
  });

  it('restores all or none within the hourly limit of mails', async () => {
    const email = someEmail();
    const { UserId } = await invite(email);
    await invite(email);
    for (let n = 0; n < 2; n += 1) {
      await at.change({ UserId, Status: 8 }).expect(200);
      await at.change({ UserId, Status: 6 }).expect(200);
    }
    await at.change({ UserId, Status: 8 }).expect(200);
    const answer = await at.change({ UserId, Status: 6 }).expect(429);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    const sql = 'select id from invitation where account_id = ? and deleted_at is null';
    assert.deepEqual(await at.sql(sql, [UserId]), []);
  });

  it('does not change the access of a registered guest; 8 ends their sessions', async () => {
    const guest = await at.newSession({ role: 'Guest' });
    const { body } = await at.change({ UserId: guest.person.id, Status: 8 }).expect(200);
    assert.deepEqual([body.Count, body.Items[0].Id], [1, guest.sessionId]);
    assert.equal(await at.bearerOf(guest), 'invite_deleted');
    await at.change({ UserId: guest.person.id, Status: 6 }).expect(409);
  });

  it('removes the guest where guests without content are removed', async () => {
    const removing = await at.another({ GUEST_WITHOUT_CONTENT: 'remove' });
    const { UserId } = await invite();
    const { body } = await removing.post(PATH, at.boss, { UserId, Status: 8 }).expect(200);
    assert.equal(body.Count, 1);
    assert.equal(await accounts.findById(at.app().db, UserId), undefined);
    await removing.post(PATH, at.boss, { UserId, Status: 6 }).expect(404);
  });
});
