import assert from 'node:assert/strict';
import {
  authenticator,
  failuresFor,
  failuresOf,
  moveClock,
  PASSWORD,
  switchOnTwoFactor,
} from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';
import { newTwoFactorUser } from '../testing/two-factor-user.ts';

describe('/account/two-factor', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const newUser = () => newTwoFactorUser(core);

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
    assert.equal((await user.setUp({ Password: PASSWORD }).expect(409)).body.code, 'conflict');
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(409);
    await user.remove(phone.nextCode()).expect(200, {});
    assert.equal(await user.isOn(), false);
    assert.deepEqual((await user.mails()).slice(-2), [
      'account.two-factor-enabled',
      'account.two-factor-disabled',
    ]);
    const rows = await query(core.app.db, 'select 1 from recovery_code where account_id = ?', [user.id]);
    assert.equal(rows.length, 0);
  });

  it('requires the password: a stolen session cannot set it up', async () => {
    const user = await newUser();
    const { body } = await user.setUp().expect(400);
    assert.equal(body.code, 'invalid_request');
    assert.equal(body.errors[0].pointer, '/Password');
    await user.setUp({ Code: 'AAAA-AAAA' }).expect(400);
    for (const Password of ['a wrong password', '']) {
      assert.equal((await user.setUp({ Password }).expect(403)).body.code, 'wrong_password');
    }
    for (const Password of [null, 7, ['x']]) await user.setUp({ Password }).expect(400);
    assert.equal(await failuresOf(core.app, failuresFor(user.email)), 2);
    assert.deepEqual(await user.mails(), []);
    await user.setUp({ TwoFactorCode: '123456' }).expect(409);
  });

  it('must restart after a password change, or after an hour', async () => {
    const user = await newUser();
    const phone = await user.begin();
    const change = { CurrentPassword: PASSWORD, Password: `${PASSWORD} anew` };
    await core.post('/account/change-password', user.session, change).expect(200);
    const { body } = await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(409);
    assert.equal(body.code, 'conflict');
    assert.equal(await user.isOn(), false);

    const other = await newUser();
    const late = await other.begin();
    const sql = "update two_factor set created_at = created_at - interval '61 minutes' where account_id = ?";
    await query(core.app.db, sql, [other.id]);
    await other.setUp({ TwoFactorCode: late.nextCode() }).expect(409);
    await other.setUp({ TwoFactorCode: (await other.begin()).codeAt() }).expect(200);
  });

  it('ends every other session of the account, and no others', async () => {
    const many = await startCoreWithSessions({ SINGLE_SESSION: false }, core);
    try {
      const [person, other] = [await many.newAccount(), await many.newAccount()];
      const [own, thief, another] = [
        await many.login(person),
        await many.login(person),
        await many.login(other),
      ];
      const setUp = (body: object) => many.post('/account/two-factor', own, body);
      const { body } = await setUp({ Password: PASSWORD }).expect(200);
      await many.get('/ping/auth', thief).expect(200);
      const phone = authenticator(many.app, body.TwoFactorSetup.Secret);
      await setUp({ TwoFactorCode: phone.wrongCode() }).expect(403);
      await many.get('/ping/auth', thief).expect(200);
      await setUp({ TwoFactorCode: phone.codeAt() }).expect(200);
      const refused = await many.get('/ping/auth', thief).expect(401);
      assert.equal(refused.body.code, 'session_deactivated');
      await many.get('/ping/auth', own).expect(200);
      await many.get('/ping/auth', another).expect(200);
    } finally {
      await many.stop();
    }
  });

  it('returns a new secret each time until confirmed; only the newest is valid', async () => {
    const user = await newUser();
    const older = await user.begin();
    const newer = await user.begin();
    assert.equal((await user.setUp({ TwoFactorCode: older.nextCode() }).expect(403)).body.code, 'wrong_code');
    await user.setUp({ TwoFactorCode: newer.codeAt() }).expect(200);
  });

  it('refuses a code before a secret was requested', async () => {
    const user = await newUser();
    assert.equal((await user.setUp({ TwoFactorCode: '123456' }).expect(409)).body.code, 'conflict');
    assert.equal((await user.remove('123456').expect(409)).body.code, 'conflict');
  });

  it('is enabled once with ten concurrent uses of a code', async () => {
    const user = await newUser();
    const TwoFactorCode = (await user.begin()).nextCode();
    const answers = await Promise.all(Array.from({ length: 10 }, () => user.setUp({ TwoFactorCode })));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, ...Array<number>(9).fill(409)],
    );
    const rows = await query(core.app.db, 'select 1 from recovery_code where account_id = ?', [user.id]);
    assert.equal(rows.length, 10);
  });

  it('is disabled with a recovery code, but not with a used code', async () => {
    const user = await newUser();
    const phone = await switchOnTwoFactor(core.app, user.id);
    for (const code of [phone.codeAt(), phone.wrongCode(), 'AAAAA-AAAAA', '', 'AAAA']) {
      assert.equal((await user.remove(code).expect(403)).body.code, 'wrong_code');
    }
    await user.remove(phone.recoveryCodes[3]?.toLowerCase()).expect(200);
    assert.equal(await user.isOn(), false);
    const again = await switchOnTwoFactor(core.app, user.id);
    assert.equal((await user.remove(phone.recoveryCodes[4]).expect(403)).body.code, 'wrong_code');
    await user.remove(again.recoveryCodes[4]).expect(200);
  });

  it('cannot be disabled if required', async () => {
    const user = await newUser();
    const phone = await switchOnTwoFactor(core.app, user.id);
    await query(core.app.db, 'update account set two_factor_required = true where id = ?', [user.id]);
    assert.equal((await user.remove(phone.nextCode()).expect(403)).body.code, 'forbidden');
    assert.equal(await user.isOn(), true);
  });
});
