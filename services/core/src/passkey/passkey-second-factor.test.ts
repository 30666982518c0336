import assert from 'node:assert/strict';
import type { RequestOptionsJson } from '@gatehouse/auth-core';
import { startCore, PASSWORD, type TestCore } from '../testing/index.ts';
import { newPasskeyOwner, send, setAccount, signIn, type PasskeyOwner } from '../testing/passkeys.ts';

interface Second {
  LoginStatus: number;
  TwoFactorToken: string;
  SecondFactors: string[];
  PasskeyOptions: RequestOptionsJson;
}

describe('a passkey after a password', () => {
  let core: TestCore;
  let owner: PasskeyOwner;
  let recoveryCodes: string[];
  before(async () => {
    core = await startCore();
    owner = await newPasskeyOwner(core);
    await setAccount(core, owner.id, 'two_factor_required = true');
    recoveryCodes = (await owner.add()).RecoveryCodes ?? [];
  });
  after(() => core.stop());

  const withPassword = async (email = owner.email): Promise<Second> => {
    const { body } = await send(core, { Username: email, Password: PASSWORD }).expect(200);
    return body as Second;
  };

  it('is the second factor of an account that requires one, without set-up', async () => {
    const { LoginStatus, SecondFactors, PasskeyOptions, TwoFactorToken } = await withPassword();
    assert.equal(LoginStatus, 2);
    assert.deepEqual(SecondFactors, ['RecoveryCode', 'Passkey']);
    assert.equal(PasskeyOptions.allowCredentials.length, 1);
    const Credential = owner.authenticator.get(PasskeyOptions);
    const { body } = await send(core, { TwoFactorToken, Credential }).expect(200);
    assert.ok('Token' in (body as object));
    await send(core, { TwoFactorToken, Credential }).expect(404);
  });

  it('may omit the user handle, as the password identifies the account', async () => {
    const { PasskeyOptions, TwoFactorToken } = await withPassword();
    const Credential = owner.authenticator.get(PasskeyOptions, { userHandle: null });
    await send(core, { TwoFactorToken, Credential }).expect(200);
  });

  it('opens one session per signature with concurrent requests', async () => {
    const { PasskeyOptions, TwoFactorToken } = await withPassword();
    const Credential = owner.authenticator.get(PasskeyOptions);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(core, { TwoFactorToken, Credential })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('can be replaced by a recovery code', async () => {
    const { TwoFactorToken } = await withPassword();
    await send(core, { TwoFactorToken, TwoFactorCode: recoveryCodes[0] }).expect(200);
    const again = await withPassword();
    await send(core, { TwoFactorToken: again.TwoFactorToken, TwoFactorCode: recoveryCodes[0] }).expect(404);
  });

  it('must be of the same account and challenge, with user verification', async () => {
    const other = await newPasskeyOwner(core);
    await other.add();
    const { PasskeyOptions, TwoFactorToken } = await withPassword();
    const foreign = other.authenticator.get({ ...PasskeyOptions, allowCredentials: [] });
    await send(core, { TwoFactorToken, Credential: foreign }).expect(404);
    const earlier = await withPassword();
    const late = owner.authenticator.get(earlier.PasskeyOptions);
    await send(core, { TwoFactorToken, Credential: late }).expect(404);
    const blind = owner.authenticator.get(PasskeyOptions, { isUserVerified: false });
    await send(core, { TwoFactorToken, Credential: blind }).expect(404);
    const discoverable = await signIn(core, owner);
    await send(core, { TwoFactorToken, Credential: discoverable.Credential }).expect(404);
  });

  it('cannot log in by itself with the challenge of a second step', async () => {
    const { PasskeyOptions, TwoFactorToken } = await withPassword();
    const Credential = owner.authenticator.get(PasskeyOptions);
    await send(core, { PasskeyToken: TwoFactorToken, Credential }).expect(404);
  });

  it('is invalid after the password has changed', async () => {
    const person = await newPasskeyOwner(core);
    await setAccount(core, person.id, 'two_factor_required = true');
    await person.add();
    const { PasskeyOptions, TwoFactorToken } = await withPassword(person.email);
    await setAccount(core, person.id, 'password_version = password_version + 1');
    const Credential = person.authenticator.get(PasskeyOptions);
    await send(core, { TwoFactorToken, Credential }).expect(404);
  });
});
