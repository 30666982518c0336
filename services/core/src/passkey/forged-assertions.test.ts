import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { AssertionJson, RequestOptionsJson } from '@gatehouse/auth-core';
import type { AuthenticatorOverrides } from '@gatehouse/auth-core/testing';
import { query } from '@gatehouse/db';
import { during, startCore } from '../testing/index.ts';
import { requestPasskey, newPasskeyOwner, send, signIn, type PasskeyOwner } from '../testing/passkeys.ts';

const flip = (bytes: Buffer, at: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};
const withMember = (name: string, value: unknown) => (text: string) =>
  JSON.stringify({ ...(JSON.parse(text) as object), [name]: value });

/** Invalid responses of an authenticator or a browser, with a valid signature where one covers the change. */
const FORGERIES: Record<string, AuthenticatorOverrides> = {
  'of another origin': { origin: 'https://evil.example' },
  'of a sibling domain': { origin: 'https://x.gatehouse.test' },
  'of the same host without TLS': { origin: 'http://gatehouse.test' },
  'of no origin': { clientDataJson: withMember('origin', undefined) },
  'from a frame of another page': { crossOrigin: true },
  'for another relying party': { rpId: 'evil.example' },
  'for a subdomain': { rpId: 'a.gatehouse.test' },
  'of the type of a registration': { type: 'webauthn.create' },
  'of a challenge of its own': { challenge: randomBytes(32).toString('base64url') },
  'of a challenge that is no text': { clientDataJson: withMember('challenge', [1]) },
  'without the user present': { isUserPresent: false },
  'without the user verified': { isUserVerified: false },
  'backed up and not to be': { isBackupEligible: false },
  'of nobody': { userHandle: null },
  'of an account’s id': {
    userHandle: Buffer.from('0190aaaa-0000-7000-8000-000000000000').toString('base64url'),
  },
  'with another signature’s bit': { signature: (bytes) => flip(bytes, bytes.length - 1) },
  'with a signature of zeros in DER': { signature: () => Buffer.from('3006020100020100', 'hex') },
  'with truncated authenticator data': { authenticatorData: (bytes) => bytes.subarray(0, 36) },
  'with more data than it says': { authenticatorData: (bytes) => Buffer.concat([bytes, Buffer.from([1])]) },
  'with a key whose length is a lie': {
    authenticatorData: (bytes) =>
      Buffer.concat([
        bytes.subarray(0, 32),
        Buffer.from([0x5d]),
        bytes.subarray(33),
        Buffer.alloc(16),
        Buffer.from([0xff, 0xff, 1]),
      ]),
  },
  'with client data that is no JSON': { clientDataJson: () => 'webauthn.get' },
  'with client data of nested lists': { clientDataJson: () => `${'['.repeat(2000)}${']'.repeat(2000)}` },
};

/** Changes to the browser's response before it is sent. */
const CHANGES: Record<string, (credential: AssertionJson) => AssertionJson> = {
  'under an unknown id': (one) => renamed(one, randomBytes(32).toString('base64url')),
  'under an id in another spelling': (one) => renamed(one, `${one.id}A`),
  'under two ids': (one) => ({ ...one, rawId: randomBytes(32).toString('base64url') }),
  'with other client data than it signed': (one) => changed(one, 'clientDataJSON', (text) => `${text} `),
  'with other data than it signed': (one) => ({
    ...one,
    response: { ...one.response, authenticatorData: flipped(one.response.authenticatorData, 36) },
  }),
};

const renamed = (one: AssertionJson, id: string): AssertionJson => ({ ...one, id, rawId: id });
const flipped = (text: string, at: number) => flip(Buffer.from(text, 'base64url'), at).toString('base64url');
const changed = (
  one: AssertionJson,
  name: 'clientDataJSON',
  change: (text: string) => string,
): AssertionJson => ({
  ...one,
  response: {
    ...one.response,
    [name]: Buffer.from(change(Buffer.from(one.response[name], 'base64url').toString())).toString(
      'base64url',
    ),
  },
});

describe('forged and stale signatures', () => {
  const core = during(() => startCore());
  let owner: PasskeyOwner;
  let other: PasskeyOwner;
  before(async () => {
    [owner, other] = [await newPasskeyOwner(core), await newPasskeyOwner(core)];
    await owner.add();
    await other.add();
  });

  const refused = async (body: object): Promise<void> => {
    const answer = await send(core, body);
    const { code } = answer.body as { code: string };
    assert.deepEqual({ status: answer.status, code }, { status: 404, code: 'authentication_failed' });
  };

  for (const [name, overrides] of Object.entries(FORGERIES)) {
    it(`are refused: ${name}`, async () => refused(await signIn(core, owner, overrides)));
  }

  for (const [name, change] of Object.entries(CHANGES)) {
    it(`are refused: ${name}`, async () => {
      const { PasskeyToken, Credential } = await signIn(core, owner);
      await refused({ PasskeyToken, Credential: change(Credential) });
    });
  }

  it('are refused: the second time', async () => {
    const login = await signIn(core, owner);
    await send(core, login).expect(200);
    await refused(login);
  });

  it('are refused: of an earlier challenge, with another token', async () => {
    const [first, second] = [await signIn(core, owner), await requestPasskey(core)];
    await refused({ ...first, PasskeyToken: second.PasskeyToken });
  });

  it('are refused: after five minutes', async () => {
    const login = await signIn(core, owner);
    await query(core.app.db, `update webauthn_challenge set expires_at = now() - interval '1 second'`);
    await refused(login);
  });

  it('are refused: one’s own passkey with the user handle of another account', async () => {
    const userHandle = other.authenticator.kept[0]?.userHandle ?? '';
    await refused(await signIn(core, owner, { userHandle }));
  });

  it('are refused: a foreign passkey under one’s own id', async () => {
    const { PasskeyToken, Options } = await requestPasskey(core);
    const mine = owner.authenticator.get(Options);
    await refused({
      PasskeyToken,
      Credential: { ...other.authenticator.get(Options), id: mine.id, rawId: mine.id },
    });
  });

  it('are refused: for the challenge of a confirmation, and vice versa', async () => {
    await owner.forgetProof();
    const login = await core.login(owner.email);
    const bearer = core.bearer(login.Token);
    const { body } = await core.post('/account/passkey/confirmation', {}, bearer).expect(200);
    const { PasskeyToken, Options } = body as { PasskeyToken: string; Options: RequestOptionsJson };
    const Credential = owner.authenticator.get(Options);
    await refused({ PasskeyToken, Credential });
    const asked = await signIn(core, owner);
    await core.post('/account/passkey/options', asked, bearer).expect(403);
    await core.post('/account/passkey/options', { PasskeyToken, Credential }, bearer).expect(200);
  });

  it('use nothing up', async () => {
    await send(core, await signIn(core, owner)).expect(200);
  });
});
