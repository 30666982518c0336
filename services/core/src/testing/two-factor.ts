import { switchOnTwoFactor } from '@gatehouse/accounts/testing';
import assert from 'node:assert/strict';
import { accounts } from '@gatehouse/db';
import { PASSWORD, type TestCore } from './index.ts';

/** A user with two-factor authentication, and their authenticator app. */
export async function newOwner(core: TestCore) {
  const email = await core.newAccount();
  const { id } = (await accounts.findByEmailKey(core.app.db, email)) ?? assert.fail();
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
