import assert from 'node:assert/strict';
import { acceptInvitation } from '@gatehouse/accounts';
import { atOnce, statusesOf, invitationTokenIn } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { BY_SYSTEM, during, PASSWORD, someAddress, startCore } from '../testing/index.ts';
import { inviteGuest, requestMailed } from './testing.ts';

describe('a guest without a password', () => {
  const core = during(() => startCore({ EMAIL_LOGIN: 'guests' }));

  const invite = async () => {
    const invited = await inviteGuest(core);
    return { ...invited, token: invitationTokenIn(await core.app.mailsTo(invited.email)) };
  };
  const accept = (token: string, password?: string) =>
    acceptInvitation(core.app, { token, password, displayName: undefined }, BY_SYSTEM.origin);
  /** Accepts without a password, and returns the code that opens the first session. */
  const acceptAlone = async () => {
    const invited = await invite();
    const accepted = await accept(invited.token);
    assert.ok(accepted.kind === 'accepted' && accepted.loginCode !== undefined);
    return { ...invited, accountId: accepted.accountId, HandoverCode: accepted.loginCode };
  };
  const sessionsOf = (accountId: string) =>
    core.sql('select status, authenticated_by as by from user_session where account_id = ?', [accountId]);
  const exchange = (body: object) =>
    core.http
      .post('/account/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), 'sec-fetch-site': 'same-origin' })
      .send(body);

  it('has a session with the press that accepts, once of thirty exchanges, and later ones by mailed codes', async () => {
    const { email, accountId, HandoverCode } = await acceptAlone();
    const account = await accounts.findById(core.app.db, accountId);
    assert.deepEqual([account?.passwordScheme, account?.signup], [null, 'complete']);
    await exchange({ HandoverCode, DryRun: true }).expect(200, { Email: email });
    const answers = await atOnce(30, () => exchange({ HandoverCode }));
    assert.deepEqual(statusesOf(answers), [204, ...Array<number>(29).fill(400)]);
    const opened = answers.find(({ status }) => status === 204);
    assert.match(String(opened?.headers['set-cookie']), /HttpOnly/);
    assert.deepEqual(await sessionsOf(accountId), [{ status: 5, by: ['mail-code'] }]);
    const { body } = await core.post('/account/login', await requestMailed(core, email)).expect(200);
    assert.equal(await core.pingWith(body.Token), 1);
  });

  it('has no session with a code after a minute, or once access has ended, or as another role', async () => {
    for (const change of [
      'update guest_login set expires_at = now() where account_id = ?',
      'update account set expires_at = now() where id = ?',
      `update account set role = 'Admin' where id = ?`,
    ]) {
      const guest = await acceptAlone();
      await core.sql(change, [guest.accountId]);
      await exchange(guest).expect(400);
      assert.deepEqual(await sessionsOf(guest.accountId), []);
    }
  });

  it('gets no first session where a second factor is required, or with a password', async () => {
    const [strict, typing] = [await invite(), await invite()];
    await core.sql('update account set two_factor_required = true where email = ?', [strict.email]);
    for (const accepted of [await accept(strict.token), await accept(typing.token, PASSWORD)])
      assert.ok(accepted.kind === 'accepted' && accepted.loginCode === undefined);
  });
});
