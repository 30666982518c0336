import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cbor, type CborValue, type AuthenticatorOverrides } from '@gatehouse/auth-core/testing';
import { during, startCore } from '../testing/index.ts';
import { newPasskeyOwner, type PasskeyOwner } from '../testing/passkeys.ts';

type Attestation = Map<string, CborValue>;
const withMember = (name: string, value: CborValue) => (object: Attestation) =>
  cbor(new Map(object).set(name, value));

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
    attestation: (object) =>
      cbor(
        new Map(object).set('fmt', 'packed').set(
          'attStmt',
          new Map<string, CborValue>([
            ['alg', -7],
            ['sig', new Uint8Array(70)],
            ['x5c', 'x'],
          ]),
        ),
      ),
  },
};

describe('forged and stale registrations', () => {
  const core = during(() => startCore());
  let owner: PasskeyOwner;
  before(async () => {
    owner = await newPasskeyOwner(core);
  });

  const refused = async (body: object, pointer: string, as = owner): Promise<void> => {
    const answer = await core.post('/account/passkey', body, as.bearer).expect(400);
    const { errors } = answer.body as { errors: { pointer: string }[] };
    assert.deepEqual(
      errors.map((fault) => fault.pointer),
      [pointer],
    );
  };

  for (const [name, overrides] of Object.entries(FORGERIES)) {
    it(`are refused: ${name}`, async () => {
      const { PasskeyToken, Options } = await owner.begin();
      await refused(
        { PasskeyToken, Credential: owner.authenticator.create(Options, overrides) },
        '/Credential',
      );
    });
  }

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
    await core
      .post('/account/passkey', { PasskeyToken, Credential: { ...made, id, rawId: id } }, two.bearer)
      .expect(409);
  });

  it('add nothing', async () => {
    const { body } = await core.http.get('/account/passkey').set(owner.bearer).expect(200);
    assert.deepEqual(body, { Items: [] });
  });
});
