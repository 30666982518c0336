import assert from 'node:assert/strict';
import { someAddress } from '@gatehouse/accounts/testing';
import { createSoftwareAuthenticator } from '@gatehouse/auth-core/testing';
import type { RequestOptionsJson } from '@gatehouse/auth-core';
import { query } from '@gatehouse/db';
import { PASSWORD, startCore, type TestCore } from '../testing/index.ts';
import { newOwner } from '../testing/two-factor.ts';
import { requestPasskey, newPasskeyOwner, send, setAccount, signIn } from '../testing/passkeys.ts';

const ADDRESS_FAILURES_MAX = 100;
const AAGUID = { offset: 37, length: 16 };

describe('passkeys', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  it('are requested without reading any account or passkey, so that the time reveals nothing either', async () => {
    const named = [{}, { Username: 'ann@example.com' }, { Username: 'nobody@example.com' }];
    const rename = async (from: string, to: string): Promise<void> => {
      for (const table of ['account', 'passkey'])
        await query(core.app.db, `alter table ${table}${from} rename to ${table}${to}`);
    };
    await rename('', '_away');
    try {
      for (const body of named)
        await core.post('/account/login/passkey', body, { 'x-forwarded-for': someAddress() }).expect(200);
    } finally {
      await rename('_away', '');
    }
  });

  it('count failures for the address, but not for the account or for other addresses', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    const login = await signIn(core, owner);
    const from = { 'x-forwarded-for': someAddress() };
    const forged = { ...login, PasskeyToken: 'x' };
    for (let times = 0; times < ADDRESS_FAILURES_MAX; times += 1)
      await core.post('/account/login', forged, from).expect(404);
    const { headers } = await core.post('/account/login', forged, from).expect(429);
    assert.ok(Number(headers['retry-after']) > 0);
    await core.post('/account/login', login, from).expect(429);
    await send(core, login).expect(200);
    await send(core, { Username: owner.email, Password: PASSWORD }).expect(200);
  });

  it('of one device are refused with the count of the last signature, or none once they have counted', async () => {
    const owner = await newPasskeyOwner(core, 'device-bound');
    await owner.add();
    await send(core, await signIn(core, owner, { signCount: 2 })).expect(200);
    for (const signCount of [2, 1, 0]) {
      await send(core, await signIn(core, owner, { signCount })).expect(404);
    }
    await send(core, await signIn(core, owner, { signCount: 3 })).expect(200);
  });

  it('of one device that counts nothing are taken as they are', async () => {
    const owner = await newPasskeyOwner(core, 'device-bound');
    await owner.add({}, { signCount: 0 });
    for (let times = 0; times < 2; times += 1)
      await send(core, await signIn(core, owner, { signCount: 0 })).expect(200);
  });

  it('confirm nothing without the user verified', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    await owner.forgetProof();
    const proof = async (isUserVerified: boolean) => {
      const { body } = await core.post('/account/passkey/confirmation', {}, owner.bearer).expect(200);
      const { PasskeyToken, Options } = body as { PasskeyToken: string; Options: RequestOptionsJson };
      return { PasskeyToken, Credential: owner.authenticator.get(Options, { isUserVerified }) };
    };
    const { body } = await core
      .post('/account/passkey/options', await proof(false), owner.bearer)
      .expect(403);
    assert.equal((body as { code: string }).code, 'wrong_code');
    await core.post('/account/passkey/options', await proof(true), owner.bearer).expect(200);
  });

  it('are named among the second factors of an account with an authenticator app, and taken as one', async () => {
    const owner = await newOwner(core);
    const logIn = () => send(core, owner.withPassword).expect(200);
    const { body } = await send(core, {
      ...owner.withPassword,
      TwoFactorCode: owner.phone.nextCode(),
    }).expect(200);
    const bearer = core.bearer((body as { Token: string }).Token);
    assert.deepEqual((await logIn()).body.SecondFactors, ['Totp', 'RecoveryCode']);
    const begun = await core.post('/account/passkey/options', {}, bearer).expect(200);
    const authenticator = createSoftwareAuthenticator('https://gatehouse.test');
    const Credential = authenticator.create(begun.body.Options);
    const { PasskeyToken } = begun.body as { PasskeyToken: string };
    const added = await core.post('/account/passkey', { PasskeyToken, Credential }, bearer).expect(201);
    assert.equal(added.body.RecoveryCodes, undefined);
    const { LoginStatus, SecondFactors, PasskeyOptions, TwoFactorToken } = (await logIn()).body;
    assert.deepEqual([LoginStatus, SecondFactors], [2, ['Totp', 'RecoveryCode', 'Passkey']]);
    await send(core, { TwoFactorToken, Credential: authenticator.get(PasskeyOptions) }).expect(200);
  });

  it('stay the second factor when the password is reset, which is reported by mail', async () => {
    const owner = await newPasskeyOwner(core);
    await setAccount(core, owner.id, 'two_factor_required = true');
    await owner.add();
    const Password = `${PASSWORD} anew`;
    const Code = await core.forget(owner.email);
    await core.post('/account/reset-password', { Email: owner.email, Code, Password }).expect(200);
    const mails = await core.app.mailsTo(owner.email);
    assert.equal(mails.at(-1)?.type, 'account.password-changed');
    const { body } = await send(core, { Username: owner.email, Password }).expect(200);
    assert.equal((body as { LoginStatus: number }).LoginStatus, 2);
  });

  it('without a name are called after their authenticator', async () => {
    const owner = await newPasskeyOwner(core);
    const authenticatorData = (bytes: Buffer): Buffer => {
      const changed = Buffer.from(bytes);
      Buffer.from('bada5566a7aa401fbd9645619a55120d', 'hex').copy(changed, AAGUID.offset, 0, AAGUID.length);
      return changed;
    };
    assert.equal((await owner.add({}, { authenticatorData })).Name, '1Password');
    assert.equal((await owner.add({ Name: 'Mine' }, { authenticatorData })).Name, 'Mine');
  });

  it('of an unknown challenge are refused before anything else of them is looked at', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    const { Options } = await requestPasskey(core);
    const Credential = owner.authenticator.get(Options);
    const { body } = await send(core, {
      PasskeyToken: 'x',
      Credential: { ...Credential, id: 'AAAA' },
    }).expect(404);
    assert.equal((body as { errors?: unknown }).errors, undefined);
  });
});
