import { authenticator, codeIn, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import type { TestPortal } from '../../testing/index.ts';

/** A user of Portal who sets up and removes a second factor. */
export async function newTwoFactorUser(portal: TestPortal) {
  const person = await portal.newAccount();
  const session = await portal.login(person);
  const setUp = (body: object = {}) => portal.post('/account/two-factor', session, body);
  const remove = (TwoFactorCode?: unknown) =>
    portal.call('delete', '/account/two-factor', session, { TwoFactorCode });
  const begin = async () => {
    const response = await setUp({ Password: PASSWORD }).expect(200);
    const { TwoFactorSetup } = response.body as { TwoFactorSetup: { Secret: string } };
    return authenticator(portal.app, TwoFactorSetup.Secret);
  };
  const isOn = async () => {
    const response = await portal.get('/account/profile', session).expect(200);
    return (response.body as { TwoFactorEnabled: boolean }).TwoFactorEnabled;
  };
  const mails = async () => (await portal.app.mailsTo(person.email)).map(({ type }) => type);
  const changeEmail = async () => {
    const Email = someEmail();
    await portal.post('/account/change-email', session, { Email, Password: PASSWORD }).expect(200);
    const Code = codeIn(await portal.app.mailsTo(Email));
    await portal.post('/account/confirm-email', session, { Code }).expect(200);
  };
  return { ...person, session, changeEmail, setUp, remove, begin, isOn, mails };
}
