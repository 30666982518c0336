import assert from 'node:assert/strict';
import { moveClock, PASSWORD, someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

describe('the email and the password of an account with a second factor', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  /** A user whose login, with both factors, was more than five minutes ago. */
  const newUser = async () => {
    const person = await core.newAccount();
    const phone = await switchOnTwoFactor(core.app, person.id);
    const session = await core.login(person);
    const logIn = (minutesAgo: number) =>
      query(
        core.app.db,
        `update user_session
         set authenticated_at = now() - make_interval(mins => ?), authenticated_by = '{password,second-factor}'
         where account_id = ?`,
        [minutesAgo, person.id],
      );
    await logIn(6);
    return {
      ...person,
      ...phone,
      logIn,
      change: (kind: 'email' | 'password', more: object = {}, current = PASSWORD) =>
        core.post(`/account/change-${kind}`, session, {
          ...(kind === 'email'
            ? { Email: someEmail(), Password: current }
            : { CurrentPassword: current, Password: 'a wholly new one' }),
          ...more,
        }),
      mails: async () => (await core.app.mailsTo(person.email)).map(({ type }) => type),
    };
  };

  for (const kind of ['email', 'password'] as const) {
    it(`do not change with the password alone (${kind})`, async () => {
      const user = await newUser();
      assert.equal((await user.change(kind).expect(403)).body.code, 'confirmation_required');
      assert.deepEqual(await user.mails(), ['account.two-factor-enabled']);
    });

    it(`change with the password and a code, which is used up (${kind})`, async () => {
      const user = await newUser();
      const TwoFactorCode = user.nextCode();
      const wrong = await user.change(kind, { TwoFactorCode }, 'a wrong one').expect(403);
      assert.equal(wrong.body.code, 'wrong_password');
      assert.equal(
        (await user.change(kind, { TwoFactorCode: '000000' }).expect(403)).body.code,
        'wrong_code',
      );
      await user.change(kind, { TwoFactorCode }).expect(200);
      const current = kind === 'email' ? PASSWORD : 'a wholly new one';
      const again = await user.change(kind, { TwoFactorCode }, current).expect(403);
      assert.equal(again.body.code, 'wrong_code');
    });

    it(`change with the password soon after a login with both (${kind})`, async () => {
      const user = await newUser();
      await user.logIn(4);
      await user.change(kind).expect(200);
    });
  }
});
