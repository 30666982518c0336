import assert from 'node:assert/strict';
import {
  failuresFor,
  failuresOf,
  moveClock,
  PASSWORD,
  someAddress,
  switchOnTwoFactor,
} from '@gatehouse/accounts/testing';
import { checkPassword } from '@gatehouse/accounts';
import { query } from '@gatehouse/db';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';
import { newTwoFactorUser } from '../testing/two-factor-user.ts';

describe('guesses at /account/two-factor', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const newUser = () => newTwoFactorUser(core);
  const guessPassword = (email: string, password: string) =>
    checkPassword(core.app, { userName: email, password, addressGroup: someAddress() });

  it('limits guesses of the password: the tenth wrong one delays the account', async () => {
    const user = await newUser();
    for (let guess = 0; guess < 10; guess += 1) await user.setUp({ Password: `guess ${guess}` }).expect(403);
    await user.setUp({ Password: PASSWORD }).expect(429);
  });

  it('does not count a missing or malformed code as wrong', async () => {
    const user = await newUser();
    const expectNothingCounted = async (ask: (code: unknown) => ReturnType<typeof user.remove>) => {
      for (const none of [null, true, 7, [], {}]) {
        const { body } = await ask(none).expect(400);
        assert.deepEqual([body.code, body.errors[0].pointer], ['invalid_request', '/TwoFactorCode']);
      }
      for (const none of ['', 'AAAA', '12345', 'x'.repeat(100), 'UUUUU-UUUUU']) {
        assert.equal((await ask(none).expect(403)).body.code, 'wrong_code');
      }
      assert.equal(await failuresOf(core.app, failuresFor(user.email)), 0);
    };
    const begun = await user.begin();
    await expectNothingCounted((TwoFactorCode) => user.setUp({ TwoFactorCode }));
    await user.setUp({ TwoFactorCode: begun.nextCode() }).expect(200);
    await expectNothingCounted((code) => user.remove(code));
    await user.remove().expect(400);
    await user.remove(begun.nextCode()).expect(200);
  });

  it('limits guesses of codes: the tenth wrong one delays the account', async () => {
    const user = await newUser();
    const phone = await switchOnTwoFactor(core.app, user.id);
    for (let guess = 0; guess < 10; guess += 1) await user.remove(phone.wrongCode()).expect(403);
    const refused = await user.remove(phone.nextCode()).expect(429);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await guessPassword(user.email, PASSWORD)).kind, 'throttled');
  });

  it('keeps the count of wrong codes after an email change', async () => {
    const user = await newUser();
    const phone = await switchOnTwoFactor(core.app, user.id);
    for (let guess = 0; guess < 9; guess += 1) await user.remove(phone.wrongCode()).expect(403);
    const withBoth =
      "update user_session set authenticated_by = '{password,second-factor}' where account_id = ?";
    await query(core.app.db, withBoth, [user.id]);
    await user.changeEmail();
    await user.remove(phone.wrongCode()).expect(403);
    await user.remove(phone.wrongCode()).expect(429);
  });

  it('keeps the count of wrong passwords between enabling and disabling', async () => {
    const user = await newUser();
    const phone = await user.begin();
    await guessPassword(user.email, 'a wrong password');
    const { body } = await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal(await failuresOf(core.app, failuresFor(user.email)), 1);
    await user.remove(body.RecoveryCodes[0]).expect(200);
    assert.equal(await failuresOf(core.app, failuresFor(user.email)), 1);
  });
});
