import assert from 'node:assert/strict';
import { failuresFor, failuresOf, moveClock, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { recoveryCodes } from '@gatehouse/db';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

describe('POST /account/recovery-codes', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const newUser = async () => {
    const person = await core.newAccount();
    const phone = await switchOnTwoFactor(core.app, person.id);
    const session = await core.login(person);
    const renew = (TwoFactorCode: unknown) =>
      core.post('/account/recovery-codes', session, { TwoFactorCode });
    return { ...person, ...phone, session, renew };
  };
  const codesOf = ({ body }: { body: unknown }) => (body as { RecoveryCodes: string[] }).RecoveryCodes;

  it('returns ten new codes for a code of the app, and invalidates all earlier ones', async () => {
    const user = await newUser();
    const codes = codesOf(await user.renew(user.nextCode()).expect(200));
    assert.equal(new Set([...codes, ...user.recoveryCodes]).size, 20);
    assert.equal((await user.renew(user.recoveryCodes[0]).expect(403)).body.code, 'wrong_code');
    const later = codesOf(await user.renew(codes[0]).expect(200));
    await user.renew(codes[1]).expect(403);
    assert.equal(await recoveryCodes.countLeft(core.app.db, user.id), 10);
    await core.call('delete', '/account/two-factor', user.session, { TwoFactorCode: later[9] }).expect(200);
  });

  it('requires a code after any login if there is no passkey', async () => {
    const { body } = await (await newUser()).renew(undefined).expect(400);
    assert.equal(body.errors[0].pointer, '/TwoFactorCode');
  });

  it('notifies the owner by mail', async () => {
    const user = await newUser();
    await user.renew('AAAAA-AAAAA').expect(403);
    await user.renew(user.nextCode()).expect(200);
    const types = (await core.app.mailsTo(user.email)).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'account.recovery-codes-renewed').length, 1);
  });

  it('accepts each code once, also with concurrent requests', async () => {
    const user = await newUser();
    const [code] = user.recoveryCodes;
    const answers = await Promise.all([user.renew(code), user.renew(code)]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 403]));
  });

  it('counts a wrong code as a failed login, with the same limit', async () => {
    const user = await newUser();
    for (let guess = 0; guess < 10; guess += 1) await user.renew('AAAAA-AAAAA').expect(403);
    assert.equal(await failuresOf(core.app, failuresFor(user.email)), 10);
    await user.renew(user.nextCode()).expect(429);
  });

  it('refuses an account without two-factor', async () => {
    const session = await core.login(await core.newAccount());
    for (const TwoFactorCode of ['123456', 'AAAAA-AAAAA']) {
      const { body } = await core.post('/account/recovery-codes', session, { TwoFactorCode }).expect(409);
      assert.equal(body.code, 'conflict');
    }
  });
});
