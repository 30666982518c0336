import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { cast } from '../testing/cast.ts';
import { inHours, useLimitedContent } from '../testing/limited-content.ts';
import { resendAsAdministrator } from '../testing/resend.ts';

describe('access with an expiry', () => {
  const portal = cast({ MAILS_PER_HOUR: 3 });
  const { get, mailsTo, member, sql } = portal;
  const at = useLimitedContent(portal);
  const { olga } = at;

  it('is shown to members and managers', async () => {
    const end = inHours(2);
    const gus = await at.guest(end);
    assert.equal(await at.endOf(gus.id), end);
    assert.equal((await get('/account/content', gus.Token)).body.Items[0].ExpiresAt, end);
    const lasting = await member();
    await at.invite(lasting.email);
    assert.equal(await at.endOf(lasting.id), null);
    const [granted] = await at.told(lasting.id, 'guest.access-granted');
    assert.equal(granted?.['AccessExpiresAt'], undefined);
    const [invited] = await at.told(gus.id, 'guest.invited');
    assert.equal(invited?.['AccessExpiresAt'], end);
  });

  it('keeps its expiry on a new invitation without one, and otherwise uses the new one', async () => {
    const user = await member();
    const [first, second] = [inHours(1), inHours(5)];
    assert.equal((await at.invite(user.email, first)).Result, 'AccessGranted');
    assert.equal((await at.invite(user.email)).Result, 'AlreadyHasAccess');
    assert.equal(await at.endOf(user.id), first);
    await at.invite(user.email, second);
    assert.equal(await at.endOf(user.id), second);
    await at.invite(user.email, second);
    await at.invite(user.email, null);
    assert.equal(await at.endOf(user.id), null);
    const ends = (await at.told(user.id, 'guest.access-granted')).map((data) => data['AccessExpiresAt']);
    assert.deepEqual(ends, [first, second, undefined]);
    assert.equal((await mailsTo(user.email)).length, 1);
    const entries = await at.audited(user.id);
    assert.deepEqual(
      entries.map(({ details }) => [details['Result'], details['ExpiresAt']]),
      [
        ['AccessGranted', first],
        ['AlreadyHasAccess', second],
        ['AlreadyHasAccess', null],
      ],
    );
  });

  it('applies to the invitation: its link expires with it, and can be changed without another mail', async () => {
    const email = someEmail();
    const end = inHours(3);
    const { UserId } = await at.invite(email, inHours(1));
    const ends = 'expires_at as link, access_expires_at as access';
    const links = async () =>
      (
        await sql<{ link: Date; access: Date }>(`select ${ends} from invitation where account_id = ?`, [
          UserId,
        ])
      )[0];
    await at.invite(email, end);
    assert.deepEqual(await links(), { link: new Date(end), access: new Date(end) });
    // The third mail within an hour is the last one.
    await at.invite(email);
    assert.deepEqual((await links())?.access, new Date(end));
    const sooner = inHours(1);
    assert.equal((await at.invite(email, sooner)).Result, 'Reinvited');
    assert.deepEqual(await links(), { link: new Date(sooner), access: new Date(sooner) });
    assert.equal((await mailsTo(email)).length, 3);
    assert.equal((await at.register(email)).status, 200);
    assert.equal(await at.endOf(UserId), sooner);
  });

  it('refuses a link whose access has expired, which cannot be renewed', async () => {
    const email = someEmail();
    const { UserId } = await at.invite(email, inHours(1));
    await at.passTime();
    const { body } = await at.register(email);
    assert.equal(body.code, 'invalid_invitation');
    const resent = await resendAsAdministrator(portal.portal(), UserId);
    assert.deepEqual(resent, { kind: 'refused', reason: 'gone' });
    await at.sweep();
    const [entry] = (await at.audited(UserId)).filter(({ action }) => action === 'user.removed');
    assert.equal(entry?.details['Result'], 'InvitationDeleted');
    assert.equal((await mailsTo(email)).length, 1);
    // A new invitation without an end restores the initial state.
    assert.equal((await at.invite(email)).Result, 'Invited');
    assert.equal((await at.register(email)).status, 200);
    assert.equal(await at.endOf(UserId), null);
  });

  it('must be in the future', async () => {
    const email = someEmail();
    for (const end of [inHours(-1), '1999-12-31T23:59:60Z', 'tomorrow', 7, '']) {
      const { body } = await olga.invites([email], { ExpiresAt: end }).expect(400);
      assert.deepEqual([body.code, body.errors[0].pointer], ['invalid_request', '/ExpiresAt']);
    }
    assert.equal((await mailsTo(email)).length, 0);
  });
});
