import assert from 'node:assert/strict';
import {
  authenticator,
  codeIn,
  failuresFor,
  failuresOf,
  moveClock,
  PASSWORD,
  someAddress,
  someEmail,
} from '@gatehouse/accounts/testing';
import { checkPassword } from '@gatehouse/accounts';
import { query } from '@gatehouse/db';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

describe('account of an administrator', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const newAdministrator = async () => {
    const person = await core.newAccount({ role: 'Admin' });
    const session = await core.login(person);
    const post = (path: string, body: object) => core.post(`/account/${path}`, session, body);
    return { ...person, session, post };
  };
  const opens = async (email: string, password: string): Promise<boolean> =>
    (await checkPassword(core.app, { userName: email, password, addressGroup: someAddress() })).kind ===
    'right';

  it('changes the password with the current one', async () => {
    const { email, post } = await newAdministrator();
    const Password = 'a wholly new one';
    const { body } = await post('change-password', { CurrentPassword: 'a wrong one', Password }).expect(403);
    assert.equal(body.code, 'wrong_password');
    assert.equal(await failuresOf(core.app, failuresFor(email)), 1);
    assert.deepEqual([await opens(email, PASSWORD), await opens(email, Password)], [true, false]);
    await post('change-password', { CurrentPassword: PASSWORD, Password }).expect(200);
    assert.deepEqual([await opens(email, PASSWORD), await opens(email, Password)], [false, true]);
    await post('change-password', { CurrentPassword: Password, Password: PASSWORD }).expect(200);
  });

  it('changes the email with the password and the code from the mail', async () => {
    const { email, post } = await newAdministrator();
    const Email = someEmail();
    await post('change-email', { Email, Password: 'a wrong one' }).expect(403);
    await post('change-email', { Email, Password: PASSWORD }).expect(200);
    await post('confirm-email', { Code: codeIn(await core.app.mailsTo(Email)) }).expect(200);
    assert.deepEqual([await opens(email, PASSWORD), await opens(Email, PASSWORD)], [false, true]);
  });

  it('sets up a second factor with the password', async () => {
    const { post } = await newAdministrator();
    await post('two-factor', { Password: 'a wrong one' }).expect(403);
    const { body } = await post('two-factor', { Password: PASSWORD }).expect(200);
    const phone = authenticator(
      core.app,
      (body as { TwoFactorSetup: { Secret: string } }).TwoFactorSetup.Secret,
    );
    await post('two-factor', { TwoFactorCode: phone.nextCode() }).expect(200);
  });

  it('accepts an imported hash as a proof', async () => {
    const { id, post } = await newAdministrator();
    const imported = '$2a$04$ZXeyNc5z.5UwHvJ0RmC8SO0DERBi//vG9TFlApl9y0AOlJ3K/gTfW';
    await query(core.app.db, "update account set password_hash = ?, password_scheme = 'raw' where id = ?", [
      imported,
      id,
    ]);
    await post('change-password', { CurrentPassword: 'not that one', Password: PASSWORD }).expect(403);
    await post('change-password', { CurrentPassword: 'imported horse', Password: PASSWORD }).expect(200);
  });
});
