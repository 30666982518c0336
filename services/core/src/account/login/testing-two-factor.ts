import { switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { PASSWORD, type TestCore } from '../../testing/index.ts';

/** Somebody whose two-factor is on, with their authenticator app. */
export async function newOwner(core: TestCore) {
  const email = await core.newAccount();
  const account = await accounts.findByEmailKey(core.app.db, email);
  if (account === undefined) throw new Error('there is no such account');
  const phone = await switchOnTwoFactor(core.app, account.id);
  const withPassword = { Username: email, Password: PASSWORD };
  return {
    id: account.id,
    email,
    phone,
    recoveryCode: (index = 0) => phone.recoveryCodes[index] ?? '',
    /** A login's body without a code. */
    withPassword,
    /** Shows the password and gives the token that stands for it. */
    ask: async (): Promise<string> => {
      const answer = await core.post('/account/login', withPassword).expect(200);
      return (answer.body as { TwoFactorToken: string }).TwoFactorToken;
    },
  };
}
