import { authenticator, codeIn, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { twoFactor } from '@gatehouse/db';
import type { CoreWithSessions } from './index.ts';

/** A user of Core who sets up and removes a second factor. */
export async function newTwoFactorUser(core: CoreWithSessions) {
  const person = await core.newAccount();
  const session = await core.login(person);
  const setUp = (body: object = {}) => core.post('/account/two-factor', session, body);
  const remove = (TwoFactorCode?: unknown) =>
    core.call('delete', '/account/two-factor', session, { TwoFactorCode });
  const begin = async () => {
    const response = await setUp({ Password: PASSWORD }).expect(200);
    const { TwoFactorSetup } = response.body as { TwoFactorSetup: { Secret: string } };
    return authenticator(core.app, TwoFactorSetup.Secret);
  };
  const isOn = async () => {
    await core.get('/ping/auth', session).expect(200);
    return (await twoFactor.find(core.app.db, person.id))?.isEnabled === true;
  };
  const mails = async () => (await core.app.mailsTo(person.email)).map(({ type }) => type);
  const changeEmail = async () => {
    const Email = someEmail();
    await core.post('/account/change-email', session, { Email, Password: PASSWORD }).expect(200);
    const Code = codeIn(await core.app.mailsTo(Email));
    await core.post('/account/confirm-email', session, { Code }).expect(200);
  };
  return { ...person, session, changeEmail, setUp, remove, begin, isOn, mails };
}
