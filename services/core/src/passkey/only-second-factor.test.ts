import assert from 'node:assert/strict';
import { requestSecondFactor } from '@gatehouse/accounts';
import { authenticator, moveClock } from '@gatehouse/accounts/testing';
import type { RequestOptionsJson } from '@gatehouse/auth-core';
import { accounts, twoFactor } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { PASSWORD, startCore, type TestCore } from '../testing/index.ts';
import { newPasskeyOwner, send, setAccount } from '../testing/passkeys.ts';

describe('a passkey that is the only second factor', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const newOwner = async () => {
    const owner = await newPasskeyOwner(core);
    await setAccount(core, owner.id, 'two_factor_required = true');
    const ask = async () => {
      const { body } = await send(core, { Username: owner.email, Password: PASSWORD }).expect(200);
      return body as { LoginStatus: number; TwoFactorToken: string; TwoFactorSetup: { Secret: string } };
    };
    return { ...owner, ask };
  };

  it('cannot be extended or removed with session and password, but with itself or a recovery code', async () => {
    const owner = await newOwner();
    const { Id, RecoveryCodes = [] } = await owner.add();
    const second = await owner.add();
    await owner.forgetProof();
    const begin = (shown: object) => core.post('/account/passkey/options', shown, owner.bearer);
    const remove = (id: string, shown: object) =>
      core.http.delete(`/account/passkey/${id}`).set(owner.bearer).send(shown);
    const Password = PASSWORD;
    assert.equal((await begin({ Password }).expect(403)).body.code, 'confirmation_required');
    assert.equal((await remove(Id, { Password }).expect(403)).body.code, 'confirmation_required');
    const asked = await core.post('/account/passkey/confirmation', {}, owner.bearer).expect(200);
    const { PasskeyToken, Options } = asked.body as { PasskeyToken: string; Options: RequestOptionsJson };
    await begin({ PasskeyToken, Credential: owner.authenticator.get(Options) }).expect(200);
    await begin({ TwoFactorCode: RecoveryCodes[0] }).expect(200);
    await remove(second.Id, { TwoFactorCode: RecoveryCodes[1] }).expect(204);
  });

  it('leaves the password a valid proof if no second factor is required', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    await owner.forgetProof();
    await core.post('/account/passkey/options', { Password: PASSWORD }, owner.bearer).expect(200);
  });

  it('invalidates the set-up of an authenticator from before it was added', async () => {
    const owner = await newOwner();
    const { LoginStatus, TwoFactorToken, TwoFactorSetup } = await owner.ask();
    assert.equal(LoginStatus, 1);
    const phone = authenticator(core.app, TwoFactorSetup.Secret);
    await owner.add();
    await send(core, { TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(404);
    assert.equal(await twoFactor.find(core.app.db, owner.id), undefined);
    assert.equal((await owner.ask()).LoginStatus, 2);
  });

  it('stays the second factor if passkeys are disabled: recovery codes replace it, and nothing is set up', async () => {
    const owner = await newOwner();
    await owner.add();
    const account = await accounts.findByEmailKey(core.app.db, owner.email);
    assert.ok(account !== undefined);
    const without = { ...core.app.service, passkeys: undefined };
    const asked = await requestSecondFactor(without, account, NO_DEADLINE);
    assert.ok(asked.kind === 'asked' && asked.next.LoginStatus === 2);
    assert.deepEqual(asked.next.SecondFactors, ['RecoveryCode']);
    assert.equal(asked.next.PasskeyOptions, undefined);
  });
});
