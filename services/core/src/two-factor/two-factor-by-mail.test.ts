import assert from 'node:assert/strict';
import {
  atOnce,
  authenticator,
  codeIn,
  moveClock,
  PASSWORD,
  someAddress,
  statusesOf,
} from '@gatehouse/accounts/testing';
import { checkCode } from '@gatehouse/accounts';
import { accounts, query, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { during, startCoreWithSessions } from '../testing/index.ts';

describe('/account/two-factor of an account without a password', () => {
  const core = during(() => startCoreWithSessions());
  before(() => moveClock(core.app, 0));

  /** A user who logs in only by single sign-on. */
  const newUser = async () => {
    const person = await core.newAccount();
    const sql = 'update account set password_hash = null, password_scheme = null where id = ?';
    await query(core.app.db, sql, [person.id]);
    const session = await core.login(person);
    const setUp = (body: object = {}) => core.post('/account/two-factor', session, body);
    const mails = () => core.app.mailsTo(person.email);
    const requestCode = async () => {
      await setUp().expect(200, {});
      return codeIn(await mails());
    };
    return { ...person, session, setUp, mails, requestCode };
  };

  it('starts with a code from a mail, which works once', async () => {
    const user = await newUser();
    const Code = await user.requestCode();
    assert.equal((await user.mails())[0]?.type, 'account.two-factor-requested');
    const { body } = await user.setUp({ Code: Code.toLowerCase().replace('-', ' ') }).expect(200);
    assert.equal((await user.setUp({ Code }).expect(400)).body.code, 'invalid_code');
    const phone = authenticator(core.app, body.TwoFactorSetup.Secret);
    const done = await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal(done.body.RecoveryCodes.length, 10);
    assert.equal((await user.mails()).at(-1)?.type, 'account.two-factor-enabled');
    assert.equal((await user.setUp().expect(409)).body.code, 'conflict');
  });

  it('starts with nothing else: no wrong or foreign code, and no password', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await user.requestCode();
    for (const Code of ['AAAA-AAAA', '', 'x'.repeat(65), await other.requestCode()]) {
      assert.equal((await user.setUp({ Code }).expect(400)).body.code, 'invalid_code');
    }
    for (const Password of [PASSWORD, '']) {
      assert.equal((await user.setUp({ Password }).expect(403)).body.code, 'wrong_password');
    }
    await user.setUp({ TwoFactorCode: '123456' }).expect(409);
  });

  it('accepts the code for no other purpose', async () => {
    const user = await newUser();
    const typed = await user.requestCode();
    const account = await accounts.findById(core.app.db, user.id);
    for (const purpose of ['verify', 'reset', 'change-email'] as const) {
      const attempt = { account, purpose, typed, addressGroup: someAddress() };
      assert.deepEqual(await checkCode(core.app, attempt), { kind: 'failed' });
    }
    await core.post('/account/confirm-email', user.session, { Code: typed }).expect(400);
    await user.setUp({ Code: typed }).expect(200);
  });

  it('starts once with ten concurrent uses of a code', async () => {
    const user = await newUser();
    const Code = await user.requestCode();
    const answers = await atOnce(4, () => user.setUp({ Code }));
    assert.deepEqual(statusesOf(answers), [200, 400, 400, 400]);
  });

  it('must restart once there is a password', async () => {
    const user = await newUser();
    const Code = await user.requestCode();
    const { body } = await user.setUp({ Code: await user.requestCode() }).expect(200);
    const phone = authenticator(core.app, body.TwoFactorSetup.Secret);
    const passwordHash = await core.app.passwords.hash(PASSWORD);
    await inTransaction(core.app.db, NO_DEADLINE, (tx) => accounts.updatePassword(tx, user.id, passwordHash));
    await user.setUp({ TwoFactorCode: phone.nextCode() }).expect(409);
    assert.equal((await user.setUp({ Code }).expect(400)).body.errors[0].pointer, '/Password');
    await user.setUp({ Password: PASSWORD }).expect(200);
  });
});
