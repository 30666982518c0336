import assert from 'node:assert/strict';
import { requestSecondFactor } from '@gatehouse/accounts';
import { authenticator, moveClock, someAddress } from '@gatehouse/accounts/testing';
import type { RequestOptionsJson } from '@gatehouse/auth-core';
import { createSoftwareAuthenticator } from '@gatehouse/auth-core/testing';
import { accounts, twoFactor } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { cast, problem } from '../testing/cast.ts';
import { during, PASSWORD, startCore } from '../testing/index.ts';
import { newPasskeyOwner, ownerWithPasskey, requestPasskey, send, signIn } from '../testing/passkeys.ts';
import type { PasskeyOwner } from '../testing/passkeys.ts';
import { newOwner } from '../testing/two-factor.ts';

interface Second {
  LoginStatus: number;
  TwoFactorToken: string;
  SecondFactors: string[];
  PasskeyOptions: RequestOptionsJson;
}

const ADDRESS_FAILURES_MAX = 100;
const AAGUID = { offset: 37, length: 16 };

describe('a passkey after a password', () => {
  const core = during(() => startCore());
  let owner: PasskeyOwner;
  let recoveryCodes: string[];
  before(async () => {
    owner = await newPasskeyOwner(core);
    await owner.set('two_factor_required = true');
    recoveryCodes = (await owner.add()).RecoveryCodes ?? [];
  });

  const withPassword = async () =>
    (await send(core, { Username: owner.email, Password: PASSWORD }).expect(200)).body as Second;

  it('is the second factor of an account that requires one, without set-up', async () => {
    const { LoginStatus, SecondFactors, PasskeyOptions, TwoFactorToken } = await withPassword();
    assert.deepEqual([LoginStatus, SecondFactors], [2, ['RecoveryCode', 'Passkey']]);
    assert.equal(PasskeyOptions.allowCredentials.length, 1);
    const Credential = owner.authenticator.get(PasskeyOptions);
    const { body } = await send(core, { TwoFactorToken, Credential }).expect(200);
    assert.equal(typeof body.Token, 'string');
    await send(core, { TwoFactorToken, Credential }).expect(404);
  });

  it('may omit the user handle, as the password identifies the account', async () => {
    const { PasskeyOptions, TwoFactorToken } = await withPassword();
    const Credential = owner.authenticator.get(PasskeyOptions, { userHandle: null });
    await send(core, { TwoFactorToken, Credential }).expect(200);
  });

  it('can be replaced by a recovery code', async () => {
    const { TwoFactorToken } = await withPassword();
    await send(core, { TwoFactorToken, TwoFactorCode: recoveryCodes[0] }).expect(200);
    const again = await withPassword();
    await send(core, { TwoFactorToken: again.TwoFactorToken, TwoFactorCode: recoveryCodes[0] }).expect(404);
  });

  it('must be of the same account and challenge, with user verification', async () => {
    const other = await ownerWithPasskey(core);
    const { PasskeyOptions, TwoFactorToken } = await withPassword();
    const earlier = await withPassword();
    for (const Credential of [
      other.authenticator.get({ ...PasskeyOptions, allowCredentials: [] }),
      owner.authenticator.get(earlier.PasskeyOptions),
      owner.authenticator.get(PasskeyOptions, { isUserVerified: false }),
      (await signIn(core, owner)).Credential,
    ])
      await send(core, { TwoFactorToken, Credential }).expect(404);
  });

  it('cannot log in by itself with the challenge of a second step', async () => {
    const { PasskeyOptions, TwoFactorToken } = await withPassword();
    const Credential = owner.authenticator.get(PasskeyOptions);
    await send(core, { PasskeyToken: TwoFactorToken, Credential }).expect(404);
  });
});

describe('a passkey that is the only second factor', () => {
  const core = during(() => startCore());
  before(() => moveClock(core.app, 0));

  const strictOwner = async () => {
    const owner = await newPasskeyOwner(core);
    await owner.set('two_factor_required = true');
    const ask = async () =>
      (await send(core, { Username: owner.email, Password: PASSWORD }).expect(200)).body;
    return { ...owner, ask };
  };

  it('cannot be extended or removed with session and password, but with itself or a recovery code', async () => {
    const owner = await strictOwner();
    const { Id, RecoveryCodes = [] } = await owner.add();
    const second = await owner.add();
    await owner.forgetProof();
    const begin = (shown: object) => core.post('/account/passkey/options', shown, owner.bearer);
    const { remove } = owner;
    const Password = PASSWORD;
    await begin({ Password }).expect(problem('confirmation_required'));
    await remove(Id, { Password }).expect(problem('confirmation_required'));
    await begin(await owner.prove()).expect(200);
    await begin({ TwoFactorCode: RecoveryCodes[0] }).expect(200);
    await remove(second.Id, { TwoFactorCode: RecoveryCodes[1] }).expect(204);
  });

  it('invalidates the set-up of an authenticator from before it was added', async () => {
    const owner = await strictOwner();
    const { LoginStatus, TwoFactorToken, TwoFactorSetup } = await owner.ask();
    assert.equal(LoginStatus, 1);
    const phone = authenticator(core.app, TwoFactorSetup.Secret);
    await owner.add();
    await send(core, { TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(404);
    assert.equal(await twoFactor.find(core.app.db, owner.id), undefined);
    assert.equal((await owner.ask()).LoginStatus, 2);
  });

  it('stays the second factor if passkeys are disabled: recovery codes replace it, and nothing is set up', async () => {
    const owner = await strictOwner();
    await owner.add();
    const account = (await accounts.findByEmailKey(core.app.db, owner.email)) ?? assert.fail();
    const without = { ...core.app.service, passkeys: undefined };
    const asked = await requestSecondFactor(without, account, NO_DEADLINE);
    assert.ok(asked.kind === 'asked' && asked.next.LoginStatus === 2);
    const { SecondFactors, PasskeyOptions } = asked.next;
    assert.deepEqual([SecondFactors, PasskeyOptions], [['RecoveryCode'], undefined]);
  });
});

describe('passkeys', () => {
  const { core, someone } = cast({});

  it('are requested without reading any account or passkey, so that the time reveals nothing either', async () => {
    const named = [{}, { Username: 'ann@example.com' }, { Username: 'nobody@example.com' }];
    const rename = async (from: string, to: string): Promise<void> => {
      for (const table of ['account', 'passkey'])
        await core().sql(`alter table ${table}${from} rename to ${table}${to}`);
    };
    await rename('', '_away');
    try {
      for (const body of named)
        await core().post('/account/login/passkey', body, { 'x-forwarded-for': someAddress() }).expect(200);
    } finally {
      await rename('_away', '');
    }
  });

  it('count failures for the address, but not for the account or for other addresses', async () => {
    const owner = await ownerWithPasskey(core());
    const login = await signIn(core(), owner);
    const from = { 'x-forwarded-for': someAddress() };
    const forged = { ...login, PasskeyToken: 'x' };
    for (let times = 0; times < ADDRESS_FAILURES_MAX; times += 1)
      await core().post('/account/login', forged, from).expect(404);
    const { headers } = await core().post('/account/login', forged, from).expect(429);
    assert.ok(Number(headers['retry-after']) > 0);
    await core().post('/account/login', login, from).expect(429);
    await send(core(), login).expect(200);
    await send(core(), { Username: owner.email, Password: PASSWORD }).expect(200);
  });

  it('are named among the second factors of an account with an authenticator app, and taken as one', async () => {
    const owner = await newOwner(core());
    const logIn = () => send(core(), owner.withPassword).expect(200);
    const withBoth = { ...owner.withPassword, TwoFactorCode: owner.phone.nextCode() };
    const bearer = core().bearer((await send(core(), withBoth).expect(200)).body.Token);
    assert.deepEqual((await logIn()).body.SecondFactors, ['Totp', 'RecoveryCode']);
    const begun = await core().post('/account/passkey/options', {}, bearer).expect(200);
    const device = createSoftwareAuthenticator('https://gatehouse.test');
    const Credential = device.create(begun.body.Options);
    const { PasskeyToken } = begun.body as { PasskeyToken: string };
    const added = await core().post('/account/passkey', { PasskeyToken, Credential }, bearer).expect(201);
    assert.equal(added.body.RecoveryCodes, undefined);
    const { LoginStatus, SecondFactors, PasskeyOptions, TwoFactorToken } = (await logIn()).body;
    assert.deepEqual([LoginStatus, SecondFactors], [2, ['Totp', 'RecoveryCode', 'Passkey']]);
    await send(core(), { TwoFactorToken, Credential: device.get(PasskeyOptions) }).expect(200);
  });

  it('stay the second factor when the password is reset, which is reported by mail', async () => {
    const owner = await newPasskeyOwner(core());
    await owner.set('two_factor_required = true');
    await owner.add();
    const [ann, Password] = [someone(owner.email), `${PASSWORD} anew`];
    await ann.resets(await ann.forgets(), Password).expect(200);
    assert.equal((await ann.mailTypes()).at(-1), 'account.password-changed');
    assert.equal((await ann.logsIn(Password).expect(200)).body.LoginStatus, 2);
  });

  it('without a name are called after their authenticator', async () => {
    const owner = await newPasskeyOwner(core());
    const authenticatorData = (bytes: Buffer): Buffer => {
      const changed = Buffer.from(bytes);
      Buffer.from('bada5566a7aa401fbd9645619a55120d', 'hex').copy(changed, AAGUID.offset, 0, AAGUID.length);
      return changed;
    };
    assert.equal((await owner.add({}, { authenticatorData })).Name, '1Password');
    assert.equal((await owner.add({ Name: 'Mine' }, { authenticatorData })).Name, 'Mine');
  });

  it('of an unknown challenge are refused before anything else of them is looked at', async () => {
    const owner = await ownerWithPasskey(core());
    const { Options } = await requestPasskey(core());
    const Credential = owner.authenticator.get(Options);
    const unknown = { PasskeyToken: 'x', Credential: { ...Credential, id: 'AAAA' } };
    const { body } = await send(core(), unknown).expect(404);
    assert.equal((body as { errors?: unknown }).errors, undefined);
  });
});
