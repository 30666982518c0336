import assert from 'node:assert/strict';
import { changeAccount } from '@gatehouse/accounts';
import { BY_SYSTEM, someEmail } from '@gatehouse/accounts/testing';
import { accounts, type AccountChange } from '@gatehouse/db';
import { cast } from '../testing/cast.ts';

const PAST = new Date('2020-01-01T00:00:00Z');

for (const mode of ['expire', 'remove'] as const)
  describe(`a guest’s state set by an administrator (GUEST_WITHOUT_CONTENT=${mode})`, () => {
    const { accept, app, linkTo, login, mailTypes, resendAsAdministrator, sql, useOwner } = cast({
      GUEST_WITHOUT_CONTENT: mode,
    });
    const olga = useOwner();

    const remove = async (email: string) =>
      (await olga.removes({ Emails: [email] }).expect(200)).body.Items[0].Result;
    const register = async (email: string) => (await accept(await linkTo(email))).status;
    const decide = async (id: string, change: AccountChange) =>
      assert.equal((await changeAccount(app(), id, change, BY_SYSTEM)).kind, 'changed');
    const end = async (id: string) => (await accounts.findById(app().db, id))?.isExpired;
    const expiresAt = async (id: string) =>
      (await sql<{ at: Date | null }>('select expires_at as at from account where id = ?', [id]))[0]?.at;
    const mailCount = async (email: string) =>
      (await mailTypes(email)).filter((type) => type === 'guest.invited').length;

    it('is not reset by revoking access and inviting again', async () => {
      const guest = await olga.newGuest();
      await decide(guest.id, { expiresAt: PAST });
      assert.equal(await remove(guest.email), 'AccessRevoked');
      const Result = 'AccessGranted';
      assert.deepEqual(await olga.invite(guest.email), { Email: guest.email, UserId: guest.id, Result });
      assert.deepEqual([await end(guest.id), await expiresAt(guest.id)], [true, PAST]);
      assert.equal(await mailCount(guest.email), 1);
      await assert.rejects(login(guest), /"condition":8/);
    });

    if (mode === 'expire')
      it('is not reset for a guest who had expired without content', async () => {
        const guest = await olga.newGuest();
        await remove(guest.email);
        await decide(guest.id, { expiresAt: PAST });
        assert.equal((await olga.invite(guest.email)).Result, 'AccessGranted');
        assert.equal(await end(guest.id), true);
      });

    it('is not reset for a pending guest by inviting, resending or the link', async () => {
      const email = someEmail();
      const { UserId } = await olga.invite(email);
      await decide(UserId, { expiresAt: PAST });
      assert.equal(await register(email), 400);
      assert.equal((await olga.invite(email)).Result, 'Reinvited');
      assert.equal(await register(email), 400);
      const resent = await resendAsAdministrator(UserId);
      assert.deepEqual(resent, { kind: 'refused', reason: 'shut' });
      assert.deepEqual([await end(UserId), await mailCount(email)], [true, 1]);
      await decide(UserId, { expiresAt: null });
      assert.equal(await register(email), 200);
    });

    it('applies on time to a guest who was invited again meanwhile', async () => {
      const guest = await olga.newGuest();
      const later = new Date(Date.now() + 3_600_000);
      await decide(guest.id, { expiresAt: later });
      await remove(guest.email);
      assert.equal((await olga.invite(guest.email)).Result, 'Invited');
      assert.equal(await register(guest.email), 200);
      assert.deepEqual(await expiresAt(guest.id), later);
    });

    it('keeps a disabled guest disabled, with and without content', async () => {
      const guest = await olga.newGuest();
      await decide(guest.id, { isDisabled: true });
      await remove(guest.email);
      assert.equal((await olga.invite(guest.email)).UserId, guest.id);
      assert.equal((await accounts.findById(app().db, guest.id))?.isDisabled, true);
      assert.equal(await mailCount(guest.email), 1);
    });
  });
