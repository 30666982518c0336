import assert from 'node:assert/strict';
import { checkPassword } from '@gatehouse/accounts';
import {
  addPasskey,
  atOnce,
  authenticator,
  failuresFor,
  failuresOf,
  moveClock,
  PASSWORD,
  someAddress,
  statusesOf,
  switchOnTwoFactor,
} from '@gatehouse/accounts/testing';
import { accounts, inTransaction, recoveryCodes } from '@gatehouse/db';
import { during, NO_PASSWORD, startCoreWithSessions, problem } from '../testing/index.ts';
import { newTwoFactorUser, type TwoFactorUser } from '../testing/two-factor.ts';
import { NO_DEADLINE } from '@gatehouse/runtime';

type Phone = Awaited<ReturnType<TwoFactorUser['begin']>>;
type Attempt = (user: TwoFactorUser, phone: Phone) => ReturnType<TwoFactorUser['remove']>;

describe('/account/two-factor', () => {
  const core = during(() => startCoreWithSessions({ SINGLE_SESSION: false }));
  before(() => moveClock(core.app, 0));

  const newUser = () => newTwoFactorUser(core);
  const guessPassword = (email: string, password: string) =>
    checkPassword(core.app, { userName: email, password, addressGroup: someAddress() });

  it('is enabled with a first code, and disabled with another', async () => {
    const user = await newUser();
    const { body } = await user.setUp({ Password: PASSWORD }).expect(200);
    assert.deepEqual(Object.keys(body.TwoFactorSetup as object).toSorted(), ['OtpAuthUri', 'Secret']);
    const phone = authenticator(core.app, body.TwoFactorSetup.Secret);
    assert.equal(await user.isOn(), false);
    const done = await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(200);
    assert.deepEqual(Object.keys(done.body as object), ['RecoveryCodes']);
    assert.equal(new Set(done.body.RecoveryCodes as string[]).size, 10);
    assert.equal(await user.isOn(), true);

    // The code that was shown is a recent proof of identity.
    await core.post('/account/export', user.session, {}).expect(200);
    await user.setUp({ Password: PASSWORD }).expect(problem('conflict'));
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(409);
    await user.remove(phone.nextCode()).expect(200, {});
    assert.equal(await user.isOn(), false);
    const mails = (await user.mails()).slice(-2);
    assert.deepEqual(mails, ['account.two-factor-enabled', 'account.two-factor-disabled']);
    assert.equal((await core.sql('select 1 from recovery_code where account_id = ?', [user.id])).length, 0);
  });

  it('requires the password: a stolen session cannot set it up', async () => {
    const user = await newUser();
    await user.setUp().expect(problem('invalid_request', '/Password'));
    await user.setUp({ Code: 'AAAA-AAAA' }).expect(400);
    for (const Password of ['a wrong password', ''])
      await user.setUp({ Password }).expect(problem('wrong_password'));
    assert.equal(await failuresOf(core.app, failuresFor(user.email)), 2);
    assert.deepEqual(await user.mails(), []);
    await user.setUp({ TwoFactorCode: '123456' }).expect(409);
  });

  it('must restart after a password change, or after an hour', async () => {
    const user = await newUser();
    const phone = await user.begin();
    const change = { CurrentPassword: PASSWORD, Password: `${PASSWORD} anew` };
    await core.post('/account/change-password', user.session, change).expect(200);
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(problem('conflict'));
    assert.equal(await user.isOn(), false);

    const other = await newUser();
    const late = await other.begin();
    const sql = "update two_factor set created_at = created_at - interval '61 minutes' where account_id = ?";
    await core.sql(sql, [other.id]);
    await other.setUp({ TwoFactorCode: late.nextCode() }).expect(409);
    await other.setUp({ TwoFactorCode: (await other.begin()).codeAt() }).expect(200);
  });

  it('ends every other session of the account, and no others', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    const thief = await core.login(ann);
    const checks = (session: { Token: string }) => core.get('/ping/auth', session);
    const phone = await ann.begin();
    await ann.setUp({ TwoFactorCode: phone.wrongCode() }).expect(403);
    await checks(thief).expect(200);
    await ann.setUp({ TwoFactorCode: phone.codeAt() }).expect(200);
    await checks(thief).expect(problem('session_deactivated'));
    for (const session of [ann.session, bob.session]) await checks(session).expect(200);
  });

  it('returns a new secret each time until confirmed; only the newest is valid', async () => {
    const user = await newUser();
    const older = await user.begin();
    const newer = await user.begin();
    await user.setUp({ TwoFactorCode: older.nextCode() }).expect(problem('wrong_code'));
    await user.setUp({ TwoFactorCode: newer.codeAt() }).expect(200);
  });

  it('is enabled once with ten concurrent uses of a code', async () => {
    const user = await newUser();
    const TwoFactorCode = (await user.begin()).nextCode();
    const answers = await atOnce(10, () => user.setUp({ TwoFactorCode }));
    assert.deepEqual(statusesOf(answers), [200, ...Array<number>(9).fill(409)]);
    assert.equal((await core.sql('select 1 from recovery_code where account_id = ?', [user.id])).length, 10);
  });

  it('is disabled with a recovery code, but not with a used code', async () => {
    const user = await newUser();
    const phone = await switchOnTwoFactor(core.app, user.id);
    const isRefused = (code: unknown) => user.remove(code).expect(problem('wrong_code'));
    for (const code of [phone.codeAt(), phone.wrongCode(), 'AAAAA-AAAAA', '', 'AAAA']) await isRefused(code);
    await user.remove(phone.recoveryCodes[3]?.toLowerCase()).expect(200);
    assert.equal(await user.isOn(), false);
    const again = await switchOnTwoFactor(core.app, user.id);
    await isRefused(phone.recoveryCodes[4]);
    await user.remove(again.recoveryCodes[4]).expect(200);
  });

  it('cannot be disabled if required', async () => {
    const user = await newUser();
    const phone = await switchOnTwoFactor(core.app, user.id);
    await user.set('two_factor_required = true');
    await user.remove(phone.nextCode()).expect(problem('forbidden'));
    assert.equal(await user.isOn(), true);
  });

  for (const [what, guess, right] of [
    [
      'the password',
      (user) => user.setUp({ Password: 'a guess' }),
      (user) => user.setUp({ Password: PASSWORD }),
    ],
    [
      'codes that disable it',
      (user, phone) => user.remove(phone.wrongCode()),
      (user, phone) => user.remove(phone.nextCode()),
    ],
    [
      'codes that renew recovery codes',
      (user) => user.renew('AAAAA-AAAAA'),
      (user, phone) => user.renew(phone.nextCode()),
    ],
  ] as [string, Attempt, Attempt][])
    it(`limits guesses of ${what}: the tenth wrong one delays the account, also at the login`, async () => {
      const user = await newUser();
      // Without a second factor, only the password is asked for.
      const phone = what === 'the password' ? await user.begin() : await switchOnTwoFactor(core.app, user.id);
      for (let tries = 0; tries < 10; tries += 1) await guess(user, phone).expect(403);
      assert.equal(await failuresOf(core.app, failuresFor(user.email)), 10);
      const refused = await right(user, phone).expect(429);
      assert.ok(Number(refused.headers['retry-after']) >= 1);
      assert.equal((await guessPassword(user.email, PASSWORD)).kind, 'throttled');
    });

  it('does not count a missing or malformed code as wrong', async () => {
    const user = await newUser();
    const begun = await user.begin();
    for (const ask of [(TwoFactorCode: unknown) => user.setUp({ TwoFactorCode }), user.remove]) {
      await ask(undefined).expect(400);
      await ask([]).expect(problem('invalid_request', '/TwoFactorCode'));
      for (const none of ['', 'AAAA', '12345', 'x'.repeat(100), 'UUUUU-UUUUU'])
        await ask(none).expect(problem('wrong_code'));
      assert.equal(await failuresOf(core.app, failuresFor(user.email)), 0);
      // It is enabled by the first, and disabled by the second.
      await ask(begun.nextCode()).expect(200);
    }
  });

  it('keeps the count of wrong codes after an email change', async () => {
    const user = await newUser();
    const phone = await switchOnTwoFactor(core.app, user.id);
    for (let guess = 0; guess < 9; guess += 1) await user.remove(phone.wrongCode()).expect(403);
    const withBoth =
      "update user_session set authenticated_by = '{password,second-factor}' where account_id = ?";
    await core.sql(withBoth, [user.id]);
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

  describe('POST /account/recovery-codes', () => {
    const newOwner = async () => {
      const user = await newUser();
      return { ...user, ...(await switchOnTwoFactor(core.app, user.id)) };
    };

    it('returns ten new codes for a code of the app, invalidates all earlier ones, and notifies the owner', async () => {
      const user = await newOwner();
      const codes = (await user.renew(user.nextCode()).expect(200)).body.RecoveryCodes as string[];
      assert.equal((await core.app.mailsTo(user.email)).at(-1)?.type, 'account.recovery-codes-renewed');
      assert.equal(new Set([...codes, ...user.recoveryCodes]).size, 20);
      await user.renew(user.recoveryCodes[0]).expect(problem('wrong_code'));
      const later = (await user.renew(codes[0]).expect(200)).body.RecoveryCodes as string[];
      await user.renew(codes[1]).expect(403);
      assert.equal(await recoveryCodes.countLeft(core.app.db, user.id), 10);
      await core.call('delete', '/account/two-factor', user.session, { TwoFactorCode: later[9] }).expect(200);
    });

    it('requires a code after any login if there is no passkey', async () => {
      await (await newOwner()).renew(undefined).expect(problem('invalid_request', '/TwoFactorCode'));
    });
  });
});

describe('/account/two-factor of an account without a password', () => {
  const core = during(() => startCoreWithSessions());
  before(() => moveClock(core.app, 0));

  /** A user who logs in only by single sign-on. */
  const newUser = async () => {
    const user = await newTwoFactorUser(core);
    await user.set(NO_PASSWORD);
    return user;
  };

  it('starts with a code from a mail, which works once', async () => {
    const user = await newUser();
    const Code = await user.requestCode();
    assert.equal((await user.mails())[0], 'account.two-factor-requested');
    const { body } = await user.setUp({ Code: Code.toLowerCase().replace('-', ' ') }).expect(200);
    await user.setUp({ Code }).expect(problem('invalid_code'));
    const phone = authenticator(core.app, body.TwoFactorSetup.Secret);
    const done = await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal(done.body.RecoveryCodes.length, 10);
    assert.equal((await user.mails()).at(-1), 'account.two-factor-enabled');
    await user.setUp().expect(problem('conflict'));
  });

  it('starts with nothing else: no wrong or foreign code, and no password', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await user.requestCode();
    for (const Code of ['AAAA-AAAA', '', 'x'.repeat(65), await other.requestCode()])
      await user.setUp({ Code }).expect(problem('invalid_code'));
    for (const Password of [PASSWORD, '']) await user.setUp({ Password }).expect(problem('wrong_password'));
    await user.setUp({ TwoFactorCode: '123456' }).expect(409);
  });

  it('must restart once there is a password', async () => {
    const user = await newUser();
    const Code = await user.requestCode();
    const { body } = await user.setUp({ Code: await user.requestCode() }).expect(200);
    const phone = authenticator(core.app, body.TwoFactorSetup.Secret);
    const passwordHash = await core.app.passwords.hash(PASSWORD);
    await inTransaction(core.app.db, NO_DEADLINE, (tx) =>
      accounts.updatePassword(tx, { accountId: user.id, passwordHash }),
    );
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(409);
    await user.setUp({ Code }).expect(problem('invalid_request', '/Password'));
    await user.setUp({ Password: PASSWORD }).expect(200);
  });
});

describe('the second factor of an account that has a passkey', () => {
  const core = during(() => startCoreWithSessions());
  before(() => moveClock(core.app, 0));

  const newUser = async () => {
    const user = await newTwoFactorUser(core);
    const { id, session } = user;
    const shown = { accountId: id, sessionId: session.sessionId, isHandedOver: true };
    const value = core.app.browser.sessions.issue('pages', shown);
    const inBrowser = { cookie: `__Host-gatehouse=${value}`, 'sec-fetch-site': 'same-origin' };
    const setSessions = (sets: string) =>
      core.sql(`update user_session set ${sets} where account_id = ?`, [id]);
    return {
      ...user,
      /** In a browser that has the session from an app. */
      handedOver: (path: string, body: object = {}) => core.http.post(path).set(inBrowser).send(body),
      require: () => user.set('two_factor_required = true'),
      forgetLogin: () => setSessions(`authenticated_at = now() - interval '6 minutes'`),
      /** As if the session's login had been with the passkey. */
      usePasskey: () => setSessions(`authenticated_by = '{passkey}'`),
      addPasskey: () => addPasskey(core.app, id),
    };
  };

  it('can be set up soon after a login with the passkey, not with session and password only', async () => {
    const user = await newUser();
    await user.addPasskey();
    await user.require();
    const { body: byPassword } = await user.setUp({ Password: PASSWORD }).expect(403);
    assert.equal(byPassword.code, 'confirmation_required');
    await user.usePasskey();
    const phone = await user.begin();
    await user.forgetLogin();
    await user.setUp({ Password: PASSWORD }).expect(problem('confirmation_required'));
    await user.setUp({ Password: 'not it' }).expect(problem('confirmation_required'));
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(problem('confirmation_required'));
  });

  it('cannot be set up with only a code from a mail either', async () => {
    const user = await newUser();
    await user.set(NO_PASSWORD);
    const Code = await user.requestCode();
    await user.addPasskey();
    await user.require();
    await user.forgetLogin();
    await user.setUp({ Code }).expect(problem('confirmation_required'));
    await user.setUp().expect(problem('confirmation_required'));
  });

  it('cannot be confirmed with a set-up from before the passkey was added', async () => {
    const user = await newUser();
    await user.require();
    await user.forgetLogin();
    const phone = await user.begin();
    await user.addPasskey();
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(problem('confirmation_required'));
  });

  it('issues first recovery codes only soon after the login', async () => {
    const user = await newUser();
    await user.renew().expect(problem('conflict'));
    await user.addPasskey();
    await user.renew().expect(409);
    await user.require();
    await user.renew().expect(problem('confirmation_required'));
    await user.usePasskey();
    const { body } = await user.renew().expect(200);
    const codes = body.RecoveryCodes as string[];
    assert.equal(new Set(codes).size, 10);
    assert.equal((await user.mails()).filter((type) => type === 'account.recovery-codes-renewed').length, 1);
    await user.forgetLogin();
    await user.renew().expect(problem('confirmation_required'));
    await user.renew(codes[0]).expect(200);
  });

  it('is not set up, confirmed or given recovery codes in a browser that has the session from an app, but soon after the login', async () => {
    const user = await newUser();
    await user.addPasskey();
    await user.require();
    await user.usePasskey();
    const phone = await user.begin();
    for (const [path, body] of [
      ['/account/two-factor', { Password: PASSWORD }],
      ['/account/two-factor', { TwoFactorCode: phone.nextCode() }],
      ['/account/recovery-codes', {}],
    ] as const)
      assert.equal((await user.handedOver(path, body).expect(403)).body.code, 'confirmation_required', path);
    await user.renew().expect(200);
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(200);
  });

  it('requires only the password if no second factor is required', async () => {
    const user = await newUser();
    await user.addPasskey();
    await user.forgetLogin();
    const phone = await user.begin();
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(200);
  });
});
