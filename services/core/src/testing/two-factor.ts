import { authenticator, codeIn, newAccount, someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { twoFactor } from '@gatehouse/db';
import { PASSWORD, type CoreWithSessions, type TestCore } from './index.ts';

export async function newOwner(core: TestCore) {
  const { id, email } = await newAccount(core.app);
  const phone = await switchOnTwoFactor(core.app, id);
  const withPassword = { Username: email, Password: PASSWORD };
  return {
    ...{ id, email, phone },
    recoveryCode: (index = 0) => phone.recoveryCodes[index] ?? '',
    /** A login's body without a code. */
    withPassword,
    /** Sends the password and returns the token for the second step. */
    ask: async (): Promise<string> => {
      const answer = await core.post('/account/login', withPassword).expect(200);
      return answer.body.TwoFactorToken;
    },
  };
}

export type TwoFactorUser = Awaited<ReturnType<typeof newTwoFactorUser>>;

export async function newTwoFactorUser(core: CoreWithSessions) {
  const person = await core.newAccount();
  const session = await core.login(person);
  const setUp = (body: object = {}) => core.post('/account/two-factor', session, body);
  const mails = async () => (await core.app.mailsTo(person.email)).map(({ type }) => type);
  return {
    ...person,
    session,
    setUp,
    mails,
    remove: (TwoFactorCode?: unknown) =>
      core.call('delete', '/account/two-factor', session, { TwoFactorCode }),
    renew: (TwoFactorCode?: unknown) => core.post('/account/recovery-codes', session, { TwoFactorCode }),
    begin: async () => {
      const { body } = await setUp({ Password: PASSWORD }).expect(200);
      return authenticator(core.app, String(body.TwoFactorSetup.Secret));
    },
    /** Asks for the code by mail that begins the set-up of an account without a password. */
    requestCode: async () => {
      await setUp().expect(200, {});
      return codeIn(await core.app.mailsTo(person.email));
    },
    isOn: async () => {
      await core.get('/ping/auth', session).expect(200);
      return (await twoFactor.find(core.app.db, person.id))?.isEnabled === true;
    },
    changeEmail: async () => {
      const Email = someEmail();
      await core.post('/account/change-email', session, { Email, Password: PASSWORD }).expect(200);
      const Code = codeIn(await core.app.mailsTo(Email));
      await core.post('/account/confirm-email', session, { Code }).expect(200);
    },
    /** Changes the row of their account: `two_factor_required = true`. */
    set: (sets: string) => core.sql(`update account set ${sets} where id = ?`, [person.id]),
  };
}
