import assert from 'node:assert/strict';
import { addPasskey, moveClock, PASSWORD } from '@gatehouse/accounts/testing';
import { during, NO_PASSWORD, startCoreWithSessions } from '../testing/index.ts';
import { newTwoFactorUser } from '../testing/two-factor.ts';

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
    assert.equal((await user.setUp({ Password: PASSWORD }).expect(403)).body.code, 'confirmation_required');
    assert.equal((await user.setUp({ Password: 'not it' }).expect(403)).body.code, 'confirmation_required');
    const late = await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(403);
    assert.equal(late.body.code, 'confirmation_required');
  });

  it('cannot be set up with only a code from a mail either', async () => {
    const user = await newUser();
    await user.set(NO_PASSWORD);
    const Code = await user.requestCode();
    await user.addPasskey();
    await user.require();
    await user.forgetLogin();
    assert.equal((await user.setUp({ Code }).expect(403)).body.code, 'confirmation_required');
    assert.equal((await user.setUp().expect(403)).body.code, 'confirmation_required');
  });

  it('cannot be confirmed with a set-up from before the passkey was added', async () => {
    const user = await newUser();
    await user.require();
    await user.forgetLogin();
    const phone = await user.begin();
    await user.addPasskey();
    const { body } = await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(403);
    assert.equal(body.code, 'confirmation_required');
  });

  it('issues first recovery codes only soon after the login', async () => {
    const user = await newUser();
    assert.equal((await user.renew().expect(409)).body.code, 'conflict');
    await user.addPasskey();
    await user.renew().expect(409);
    await user.require();
    assert.equal((await user.renew().expect(403)).body.code, 'confirmation_required');
    await user.usePasskey();
    const { body } = await user.renew().expect(200);
    const codes = body.RecoveryCodes as string[];
    assert.equal(new Set(codes).size, 10);
    assert.equal((await user.mails()).filter((type) => type === 'account.recovery-codes-renewed').length, 1);
    await user.forgetLogin();
    assert.equal((await user.renew().expect(403)).body.code, 'confirmation_required');
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
