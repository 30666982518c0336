import assert from 'node:assert/strict';
import { someAddress } from '@gatehouse/accounts/testing';
import { atOnce, countOf, problem } from '../testing/cast.ts';
import { during, startCore } from '../testing/index.ts';
import { newPasskeyOwner, ownerWithPasskey, requestPasskey, send, signIn } from '../testing/passkeys.ts';
import type { PasskeyOwner } from '../testing/passkeys.ts';
import { randomBytes } from 'node:crypto';
import type { AssertionJson } from '@gatehouse/auth-core';
import type { AuthenticatorOverrides } from '@gatehouse/auth-core/testing';
import { fieldsOf } from '@gatehouse/runtime/testing';

describe('a login with a passkey', () => {
  const core = during(() => startCore());

  it('returns tokens, replaces the earlier session and is counted', async () => {
    const owner = await ownerWithPasskey(core);
    const { body } = await send(core, { ...(await signIn(core, owner)), DeviceName: 'Kitchen' }).expect(200);
    assert.equal(await core.pingWith(body.Token), 1);
    await owner.listed().expect(401);
    const sql = 'select device_name as name from user_session where account_id = ? and ended_at is null';
    assert.deepEqual(await core.sql(sql, [owner.id]), [{ name: 'Kitchen' }]);
    const list = await core.http.get('/account/passkey').set(core.bearer(body.Token)).expect(200);
    assert.notEqual(list.body.Items[0].LastUsedAt, null);
    const counts: string[] = [];
    await core.app.service.activity.flush(async (all) => void counts.push(...all.map(({ kind }) => kind)));
    assert.ok(counts.includes('login.passkey'));
  });

  it('is refused for an account that has become a service account, until changed back', async () => {
    const owner = await ownerWithPasskey(core);
    await owner.set('is_service = true');
    const { body } = await owner.signsIn({}, 404);
    assert.equal(body.code, 'authentication_failed');
    await core.login(owner.email);
    await owner.set('is_service = false');
    await owner.signsIn();
  });

  it('counts as both factors, of whatever account: no code is required', async () => {
    const owner = await ownerWithPasskey(core);
    assert.ok('Token' in (await core.login(owner.email)), 'it is no second factor for a password');
    await owner.set('two_factor_required = true');
    const { Options } = await requestPasskey(core);
    assert.deepEqual([Options.allowCredentials, Options.userVerification], [[], 'required']);
    const { body } = await owner.signsIn();
    assert.ok('Token' in (body as object));
  });

  for (const [sets, status, code] of [
    ['is_disabled = true', 3, 'account_disabled'],
    [`signup = 'invitation'`, 9, 'invitation_pending'],
  ] as const)
    it(`is refused with status ${status} like a password`, async () => {
      const owner = await ownerWithPasskey(core);
      await owner.set(sets);
      const { body } = await owner.signsIn({}, 403);
      assert.deepEqual([body.LoginStatus, body.code], [status, code]);
    });

  it('opens one session per signature with concurrent requests', async () => {
    for (const kind of ['synced', 'device-bound'] as const) {
      const owner = await ownerWithPasskey(core, kind);
      const login = await signIn(core, owner);
      const before = (await sessionsOf(owner.id)).length;
      const answers = await atOnce(30, () => send(core, login));
      assert.deepEqual([countOf(200, answers), countOf(404, answers)], [1, 29], kind);
      assert.equal((await sessionsOf(owner.id)).length, before + 1);
      assert.equal((await sessionsOf(owner.id)).filter(({ ended_at }) => ended_at === null).length, 1);
    }
  });

  it('refuses a device-bound passkey whose counter has not increased, and notifies the owner once', async () => {
    const owner = await ownerWithPasskey(core, 'device-bound');
    for (let times = 0; times < 3; times += 1) await owner.signsIn();
    const cloned = await signIn(core, owner, { signCount: 2 });
    const answers = await Promise.all([send(core, cloned), send(core, cloned), send(core, cloned)]);
    assert.deepEqual(fieldsOf(answers, 'status'), [404, 404, 404]);
    const mails = await core.app.mailsTo(owner.email);
    assert.equal(mails.filter(({ type }) => type === 'passkey.cloned').length, 1);
    await owner.signsIn();
  });

  it('remembers that a passkey is synced now, or no longer, and notifies the owner each time', async () => {
    const owner = await ownerWithPasskey(core, 'device-bound');
    const [alone, synced] = [{ signCount: 0 }, { isBackupEligible: true, isBackedUp: true, signCount: 0 }];
    for (const overrides of [alone, synced, synced, alone]) await owner.signsIn(overrides);
    const mails = await core.app.mailsTo(owner.email);
    assert.equal(mails.filter(({ type }) => type === 'account.passkey-changed').length, 2);
  });

  it('refuses a copy of a device-bound passkey that says it is synced', async () => {
    const owner = await ownerWithPasskey(core, 'device-bound');
    await owner.signsIn({ signCount: 5 });
    const claimed = { isBackupEligible: true, isBackedUp: true, signCount: 5 };
    await owner.signsIn(claimed, 404);
    await owner.signsIn({ ...claimed, signCount: 6 });
  });

  it('ignores the counter of a synced passkey, and of a device that counts nothing', async () => {
    const owner = await ownerWithPasskey(core);
    for (const signCount of [7, 3, 3, 0, 4_294_967_295]) await owner.signsIn({ signCount });
    const other = await newPasskeyOwner(core, 'device-bound');
    await other.add({}, { signCount: 0 });
    for (let times = 0; times < 2; times += 1) await other.signsIn({ signCount: 0 });
  });

  it('reports a deleted passkey, so that browsers remove it', async () => {
    const owner = await ownerWithPasskey(core);
    await owner.remove(owner.passkeyId).expect(204);
    const { body } = await owner.signsIn({}, 404);
    assert.equal(body.code, 'authentication_failed');
    assert.deepEqual(fieldsOf(body.errors, 'pointer', 'code'), [['/Credential/id', 'unknown_object']]);
  });

  it('is limited to twenty attempts a minute per address', async () => {
    const from = { 'x-forwarded-for': someAddress() };
    for (let times = 0; times < 20; times += 1)
      await core.post('/account/login/passkey', {}, from).expect(200);
    const { headers } = await core.post('/account/login/passkey', {}, from).expect(429);
    assert.ok(Number(headers['retry-after']) <= 60);
    await requestPasskey(core);
  });

  async function sessionsOf(accountId: string) {
    const sql = 'select ended_at from user_session where account_id = ?';
    return core.sql<{ ended_at: Date | null }>(sql, [accountId]);
  }
});

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

const CHANGES: Record<string, (credential: AssertionJson) => AssertionJson> = {
  'under an unknown id': (one) => renamed(one, randomBytes(32).toString('base64url')),
  'under an id in another spelling': (one) => renamed(one, `${one.id}A`),
  'under two ids': (one) => ({ ...one, rawId: randomBytes(32).toString('base64url') }),
  'with other client data than it signed': (one) =>
    withResponse(one, { clientDataJSON: spaced(one.response.clientDataJSON) }),
  'with other data than it signed': (one) =>
    withResponse(one, { authenticatorData: flipped(one.response.authenticatorData, 36) }),
};

const renamed = (one: AssertionJson, id: string): AssertionJson => ({ ...one, id, rawId: id });
const flipped = (text: string, at: number) => flip(Buffer.from(text, 'base64url'), at).toString('base64url');
const withResponse = (one: AssertionJson, changes: Partial<AssertionJson['response']>): AssertionJson => ({
  ...one,
  response: { ...one.response, ...changes },
});
const spaced = (text: string) =>
  Buffer.from(`${Buffer.from(text, 'base64url').toString()} `).toString('base64url');

describe('forged and stale signatures', () => {
  const core = during(() => startCore());
  let owner: PasskeyOwner;
  let other: PasskeyOwner;
  before(async () => ([owner, other] = [await ownerWithPasskey(core), await ownerWithPasskey(core)]));

  const refused = (body: object) => send(core, body).expect(problem('authentication_failed'));

  for (const [name, overrides] of Object.entries(FORGERIES))
    it(`are refused: ${name}`, async () => refused(await signIn(core, owner, overrides)));

  for (const [name, change] of Object.entries(CHANGES))
    it(`are refused: ${name}`, async () => {
      const { PasskeyToken, Credential } = await signIn(core, owner);
      await refused({ PasskeyToken, Credential: change(Credential) });
    });

  it('are refused: of an earlier challenge, with another token', async () => {
    const [first, second] = [await signIn(core, owner), await requestPasskey(core)];
    await refused({ ...first, PasskeyToken: second.PasskeyToken });
  });

  it('are refused: after five minutes', async () => {
    const login = await signIn(core, owner);
    await core.sql(`update webauthn_challenge set expires_at = now() - interval '1 second'`);
    await refused(login);
  });

  it('are refused: one’s own passkey with the user handle of another account', async () => {
    const userHandle = other.authenticator.kept[0]?.userHandle ?? '';
    await refused(await signIn(core, owner, { userHandle }));
  });

  it('are refused: a foreign passkey under one’s own id', async () => {
    const { PasskeyToken, Options } = await requestPasskey(core);
    const mine = owner.authenticator.get(Options);
    await refused({ PasskeyToken, Credential: renamed(other.authenticator.get(Options), mine.id) });
  });

  it('are refused: for the challenge of a confirmation, and vice versa', async () => {
    const someone = await ownerWithPasskey(core);
    await someone.forgetProof();
    const proof = await someone.prove();
    await refused(proof);
    const confirm = (shown: object) => core.post('/account/passkey/options', shown, someone.bearer);
    await confirm(await signIn(core, someone)).expect(403);
    await confirm(proof).expect(200);
  });

  it('use nothing up', async () => await owner.signsIn());
});
