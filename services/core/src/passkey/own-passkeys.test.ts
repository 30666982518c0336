import assert from 'node:assert/strict';
import { readAudit } from '@gatehouse/accounts/testing';
import { during, NO_PASSWORD, PASSWORD, startCore, problem } from '../testing/index.ts';
import { newPasskeyOwner, ownerWithPasskey, type PasskeyOwner } from '../testing/passkeys.ts';
import { randomBytes } from 'node:crypto';
import { type AuthenticatorOverrides, cbor, type CborValue } from '@gatehouse/auth-core/testing';
import { fieldsOf } from '@gatehouse/runtime/testing';

describe('passkeys of an account', () => {
  const providers = [{ Id: 'corp', Name: 'Corp', LoginUrl: 'https://admin.example.com/auth/corp/login' }];
  const pages = { providers, addresses: {}, returnUrls: [], locales: ['en', 'de'] };
  const core = during(() => startCore({ SINGLE_SESSION: false }, undefined, { pages }));

  it('are requested as discoverable credentials with user verification', async () => {
    const owner = await newPasskeyOwner(core);
    const { Options } = await owner.begin();
    assert.equal(Options.rp.id, 'gatehouse.test');
    assert.deepEqual(fieldsOf(Options.pubKeyCredParams, 'alg'), [-8, -7, -257]);
    assert.deepEqual(Options.authenticatorSelection, {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    });
    assert.equal(Options.attestation, 'none');
    const handle = Buffer.from(Options.user.id, 'base64url').toString('hex');
    assert.deepEqual([handle.length, handle.includes(owner.id.replaceAll('-', ''))], [64, false]);
  });

  for (const [algorithm, name] of [
    [-7, 'ES256'],
    [-8, 'EdDSA'],
    [-257, 'RS256'],
  ] as const)
    it(`are added, listed, renamed and used with ${name}`, async () => {
      const owner = await newPasskeyOwner(core);
      const { Id, Name } = await owner.add({}, { algorithm });
      assert.equal(Name, 'Passkey');
      const renames = core.http.put(`/account/passkey/${Id}`).set(owner.bearer).send({ Name: 'Phone' });
      assert.equal((await renames.expect(200)).body.Name, 'Phone');
      await owner.signsIn();
    });

  it('are shown in the list, and reported by mail and in the audit', async () => {
    const owner = await newPasskeyOwner(core);
    const { Id } = await owner.add({ Name: 'Laptop' });
    const { Items } = (await owner.listed().expect(200)).body as { Items: { CreatedAt: string }[] };
    const expected = { Id, Name: 'Laptop', IsBackedUp: true, LastUsedAt: null };
    assert.deepEqual(Items, [{ ...expected, CreatedAt: String(Items[0]?.CreatedAt) }]);
    await (await newPasskeyOwner(core)).listed().expect(200, { Items: [] });
    await owner.remove(Id).expect(204);
    const mails = (await core.app.mailsTo(owner.email)).slice(-2);
    assert.deepEqual(fieldsOf(mails, 'type'), ['account.passkey-added', 'account.passkey-removed']);
    const { entries } = await readAudit(core.app, { targetId: owner.id });
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('passkey.'));
    assert.deepEqual(actions, ['passkey.removed', 'passkey.added']);
  });

  it('are excluded from new registrations, and have one user handle', async () => {
    const owner = await newPasskeyOwner(core);
    const first = await owner.begin();
    await owner.add();
    const { Options } = await owner.begin();
    const kept = owner.authenticator.kept.map(({ id }) => id.toString('base64url'));
    assert.deepEqual([fieldsOf(Options.excludeCredentials, 'id'), kept.length], [kept, 1]);
    assert.equal(Options.user.id, first.Options.user.id);
  });

  it('require a recent proof, also with a token', async () => {
    const owner = await ownerWithPasskey(core);
    await owner.forgetProof();
    const begin = (shown: object) => core.post('/account/passkey/options', shown, owner.bearer);
    await begin({}).expect(problem('confirmation_required'));
    const wrong = await begin({ Password: 'not the password' }).expect(403);
    assert.equal((wrong.body as { code: string }).code, 'wrong_password');
    await begin({ Password: PASSWORD }).expect(200);
    await owner.remove(owner.passkeyId).expect(403);
    const proof = await owner.prove();
    await begin(proof).expect(200);
    await begin(proof).expect(problem('wrong_code'));
    await owner.remove(owner.passkeyId, { Password: PASSWORD }).expect(204);
  });

  it('cannot be removed if they are the only sign-in method', async () => {
    const owner = await ownerWithPasskey(core);
    await owner.set(NO_PASSWORD);
    const { remove } = owner;
    await remove(owner.passkeyId).expect(problem('conflict'));
    const second = await owner.add();
    await remove(owner.passkeyId).expect(204);
    const link = (provider: string) => {
      const sql = 'insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, ?)';
      return core.sql(sql, [`https://${provider}.example`, owner.id, owner.id, provider]);
    };
    await link('no-longer-offered');
    await remove(second.Id).expect(409);
    await link('corp');
    await owner.set('two_factor_required = true');
    await remove(second.Id).expect(409);
    await owner.set('two_factor_required = false');
    await remove(second.Id).expect(204);
  });

  it('cannot be removed if they are the only second factor of an account that requires one', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.set('two_factor_required = true');
    const { Id, RecoveryCodes } = await owner.add();
    assert.equal(RecoveryCodes?.length, 10);
    await owner.remove(Id, { Password: PASSWORD }).expect(409);
    const second = await owner.add();
    assert.equal(second.RecoveryCodes, undefined);
    await owner.remove(Id).expect(204);
  });

  it('end the sessions that they opened when they are removed, but for the one that does so, and no others', async () => {
    const owner = await ownerWithPasskey(core);
    const logIn = async () => core.bearer((await owner.signsIn()).body.Token);
    const [own, thief] = [await logIn(), await logIn()];
    const byPassword = core.bearer((await core.login(owner.email)).Token);
    await core.http.delete(`/account/passkey/${owner.passkeyId}`).set(own).send({}).expect(204);
    const list = (bearer: { authorization: string }) => core.http.get('/account/passkey').set(bearer);
    await list(thief).expect(problem('session_deactivated'));
    for (const bearer of [own, owner.bearer, byPassword]) await list(bearer).expect(200);
  });

  it('are limited to twenty', async () => {
    const owner = await newPasskeyOwner(core);
    for (let made = 0; made < 20; made += 1) await owner.add();
    await core.post('/account/passkey/options', {}, owner.bearer).expect(409);
  });
});

type Attestation = Map<string, CborValue>;
const withMember = (name: string, value: CborValue) => (object: Attestation) =>
  cbor(new Map(object).set(name, value));

const CERTIFIED = new Map(Object.entries({ alg: -7, sig: new Uint8Array(70), x5c: 'x' }));

const FORGERIES: Record<string, AuthenticatorOverrides> = {
  'of another origin': { origin: 'https://evil.example' },
  'from a frame of another page': { crossOrigin: true },
  'for another relying party': { rpId: 'evil.example' },
  'of the type of a login': { type: 'webauthn.get' },
  'of another challenge': { challenge: randomBytes(32).toString('base64url') },
  'without the user present': { isUserPresent: false },
  'without the user verified': { isUserVerified: false },
  'backed up and not to be': { isBackupEligible: false },
  'with an algorithm that nobody asked for': { algorithm: -35 },
  'with truncated CBOR': { attestation: (object) => cbor(object).subarray(0, 60) },
  'with CBOR that nests without end': { attestation: () => Buffer.alloc(8000, 0x81) },
  'with a truncated key': { authenticatorData: (bytes) => bytes.subarray(0, bytes.length - 10) },
  'with a statement where there is none': { attestation: withMember('attStmt', new Map([['sig', 'x']])) },
  'attested in no way that there is': { attestation: withMember('fmt', 'x') },
  'attested by certificates': {
    attestation: (object) => cbor(new Map(object).set('fmt', 'packed').set('attStmt', CERTIFIED)),
  },
};

describe('forged and stale registrations', () => {
  const core = during(() => startCore());
  let owner: PasskeyOwner;
  before(async () => (owner = await newPasskeyOwner(core)));

  const refused = async (body: object, pointer: string, as = owner): Promise<void> => {
    const answer = await core.post('/account/passkey', body, as.bearer).expect(400);
    assert.deepEqual(fieldsOf(answer.body.errors, 'pointer'), [pointer]);
  };

  for (const [name, overrides] of Object.entries(FORGERIES))
    it(`are refused: ${name}`, async () => {
      const { PasskeyToken, Options } = await owner.begin();
      const Credential = owner.authenticator.create(Options, overrides);
      await refused({ PasskeyToken, Credential }, '/Credential');
    });

  it('are refused: under another id than the authenticator’s', async () => {
    const { PasskeyToken, Options } = await owner.begin();
    const id = randomBytes(32).toString('base64url');
    const Credential = { ...owner.authenticator.create(Options), id, rawId: id };
    await refused({ PasskeyToken, Credential }, '/Credential');
  });

  it('are refused: the second time, with a foreign token, and with an unknown one', async () => {
    const other = await newPasskeyOwner(core);
    const { PasskeyToken, Options } = await other.begin();
    const Credential = other.authenticator.create(Options);
    await refused({ PasskeyToken, Credential }, '/PasskeyToken');
    await core.post('/account/passkey', { PasskeyToken, Credential }, other.bearer).expect(201);
    await refused({ PasskeyToken, Credential }, '/PasskeyToken', other);
    await refused({ PasskeyToken: 'x', Credential }, '/PasskeyToken');
  });

  it('are refused: a passkey that is registered already', async () => {
    const [one, two] = [await newPasskeyOwner(core), await newPasskeyOwner(core)];
    await one.add();
    const [taken] = one.authenticator.kept;
    assert.ok(taken);
    const { PasskeyToken, Options } = await two.begin();
    const inIt = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 55), taken.id, bytes.subarray(87)]);
    const made = two.authenticator.create(Options, { authenticatorData: inIt });
    const id = taken.id.toString('base64url');
    const Credential = { ...made, id, rawId: id };
    await core.post('/account/passkey', { PasskeyToken, Credential }, two.bearer).expect(409);
  });

  it('add nothing', () => owner.listed().expect(200, { Items: [] }));
});
