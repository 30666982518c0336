import assert from 'node:assert/strict';
import { removeAccess } from '@gatehouse/accounts';
import { someEmail } from '@gatehouse/accounts/testing';
import { useInvitations } from './testing/invitations.ts';

describe('POST /admin/invitation/{id}/resend', () => {
  const { at, sql, sharingOf, invite, linkTo, accept, resend, remove, expire, isExpired, audited } =
    useInvitations();

  it('mails a new link that invalidates the older one and has the full lifetime', async () => {
    const item = await invite();
    const older = await linkTo(item.Email);
    await sql("update invitation set expires_at = now() + interval '1 hour' where id = ?", [item.Id]);
    const { body } = await resend(item.Id).expect(200);
    const { ExpiresAt, ...rest } = body;
    const { ExpiresAt: _before, ...before } = item;
    assert.deepEqual(rest, before);
    assert.ok(Date.parse(ExpiresAt) > Date.now() + 6.9 * 24 * 3600 * 1000);
    const newer = await linkTo(item.Email);
    assert.notEqual(newer, older);
    assert.deepEqual(await accept(older), { kind: 'invalid' });
    assert.equal((await accept(newer)).kind, 'accepted');
    await resend(item.Id).expect(404);
    await remove(item.Id).expect(404);
    const details = { UserId: item.UserId, ContentDefinitionId: at.content };
    assert.deepEqual(await audited(item.Id), [{ action: 'invitation.resent', details }]);
  });

  it('reactivates an expired invitation and its expired guest', async () => {
    const email = someEmail();
    const item = await invite(email);
    const other = await at.admin.newContent(at.owner);
    await invite(email, other);
    await expire(item.Id);
    const sharing = await sharingOf(other);
    await removeAccess(
      at.admin.app,
      { ...sharing, actor: { kind: 'System' }, from: { by: 'id', id: item.UserId } },
      { traceId: 'x', dueAt: Infinity },
    );
    assert.equal(await isExpired(item.UserId), true);
    await resend(item.Id).expect(200);
    assert.equal(await isExpired(item.UserId), false);
    assert.equal((await accept(await linkTo(email))).kind, 'accepted');
  });

  it('does not mail a link that would not work', async () => {
    const disabled = await invite();
    await sql('update account set is_disabled = true where id = ?', [disabled.UserId]);
    const orphaned = await invite();
    const mailed = (await at.admin.app.mailsTo(orphaned.Email)).length;
    await sql('update account set is_disabled = true where id = ?', [at.owner.id]);
    for (const { Id } of [disabled, orphaned]) {
      assert.equal((await resend(Id).expect(409)).body.code, 'conflict');
      assert.deepEqual(await audited(Id), []);
    }
    assert.equal((await at.admin.app.mailsTo(orphaned.Email)).length, mailed);
  });

  it('is limited per address and hour, and keeps the link beyond that', async () => {
    const item = await invite();
    for (let time = 0; time < 5; time += 1) await resend(item.Id).expect(200);
    const link = await linkTo(item.Email);
    const { headers, body } = await resend(item.Id).expect(429);
    assert.equal(body.code, 'too_many_requests');
    assert.ok(Number(headers['retry-after']) > 0);
    assert.equal((await at.admin.app.mailsTo(item.Email)).length, 6);
    assert.equal((await audited(item.Id)).length, 5);
    assert.equal((await accept(link)).kind, 'accepted');
  });

  it('lets exactly one win when a guest registers while an administrator resends', async () => {
    for (let round = 0; round < 6; round += 1) {
      const item = await invite();
      const link = await linkTo(item.Email);
      const [accepted, resent] = await Promise.all([accept(link), resend(item.Id)]);
      const wins = [accepted.kind === 'accepted', resent.status === 200];
      assert.equal(wins.filter(Boolean).length, 1);
      if (wins[0] === false) assert.equal((await accept(await linkTo(item.Email))).kind, 'accepted');
    }
  });
});
