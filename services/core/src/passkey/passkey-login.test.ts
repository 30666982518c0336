import assert from 'node:assert/strict';
import { someAddress } from '@gatehouse/accounts/testing';
import { createSoftwareAuthenticator } from '@gatehouse/auth-core/testing';
import { query } from '@gatehouse/db';
import { startCore, PASSWORD, type TestCore } from '../testing/index.ts';
import { newOwner } from '../testing/two-factor.ts';
import { requestPasskey, newPasskeyOwner, send, setAccount, signIn } from '../testing/passkeys.ts';

describe('a login with a passkey', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  it('requires only the passkey, and reveals no account', async () => {
    const { Options, PasskeyToken } = await requestPasskey(core);
    assert.deepEqual(Options.allowCredentials, []);
    assert.equal(Options.userVerification, 'required');
    const owner = await newPasskeyOwner(core);
    await owner.add();
    const other = await requestPasskey(core);
    const blank = (asked: typeof other) =>
      JSON.stringify(asked).replace(asked.PasskeyToken, '').replace(asked.Options.challenge, '');
    assert.equal(blank(other), blank({ PasskeyToken, Options }));
    // The response names no account: a request that names one has the same result.
    const named = await core
      .post('/account/login/passkey', { Username: owner.email }, { 'x-forwarded-for': someAddress() })
      .expect(200);
    assert.equal(blank(named.body as typeof other), blank(other));
  });

  it('returns tokens, replaces the earlier session and is counted', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    const { body } = await send(core, { ...(await signIn(core, owner)), DeviceName: 'Kitchen' }).expect(200);
    const { Token } = body as { Token: string };
    assert.equal(await core.pingWith(Token), 1);
    await core.http.get('/account/passkey').set(owner.bearer).expect(401);
    const [row] = await query<{ device_name: string }>(
      core.app.db,
      'select device_name from user_session where account_id = ? and ended_at is null',
      [owner.id],
    );
    assert.equal(row?.device_name, 'Kitchen');
    const list = await core.http.get('/account/passkey').set(core.bearer(Token)).expect(200);
    assert.notEqual((list.body as { Items: { LastUsedAt: string | null }[] }).Items[0]?.LastUsedAt, null);
    const counts: string[] = [];
    await core.app.service.activity.flush(async (all) => void counts.push(...all.map(({ kind }) => kind)));
    assert.ok(counts.includes('login.passkey'));
  });

  it('is refused for an account that has become a service account, until changed back', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    await setAccount(core, owner.id, 'is_service = true');
    const { body } = await send(core, await signIn(core, owner)).expect(404);
    assert.equal((body as { code: string }).code, 'authentication_failed');
    await core.login(owner.email);
    await setAccount(core, owner.id, 'is_service = false');
    await send(core, await signIn(core, owner)).expect(200);
  });

  it('counts as both factors: no code is required', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    await setAccount(core, owner.id, 'two_factor_required = true');
    const { body } = await send(core, await signIn(core, owner)).expect(200);
    assert.ok('Token' in (body as object));

    const enabled = await newOwner(core);
    const login = await core
      .post('/account/login', { ...enabled.withPassword, TwoFactorCode: enabled.phone.nextCode() })
      .expect(200);
    const bearer = core.bearer((login.body as { Token: string }).Token);
    const begun = await core.post('/account/passkey/options', {}, bearer).expect(200);
    const { PasskeyToken, Options } = begun.body as Awaited<ReturnType<typeof owner.begin>>;
    const authenticator = createSoftwareAuthenticator('https://gatehouse.test');
    const Credential = authenticator.create(Options);
    await core.post('/account/passkey', { PasskeyToken, Credential }, bearer).expect(201);
    const second = await send(core, await signIn(core, { authenticator })).expect(200);
    assert.ok('Token' in (second.body as object));
  });

  it('does not enable a second factor for passwords', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    assert.ok('Token' in (await core.login(owner.email)));
  });

  for (const [sets, status, code] of [
    ['is_disabled = true', 3, 'account_disabled'],
    ['email_verified_at = null', 4, 'email_confirmation_pending'],
    ['new_password_required = true', 7, 'new_password_required'],
    [`expires_at = now() - interval '1 second'`, 8, 'account_expired'],
    [`signup = 'invitation'`, 9, 'invitation_pending'],
  ] as const) {
    it(`is refused with status ${status} like a password`, async () => {
      const owner = await newPasskeyOwner(core);
      await owner.add();
      await setAccount(core, owner.id, sets);
      const { body } = await send(core, await signIn(core, owner)).expect(403);
      const { LoginStatus, code: told } = body as { LoginStatus: number; code: string };
      assert.deepEqual({ LoginStatus, told }, { LoginStatus: status, told: code });
    });
  }

  it('opens one session per signature with concurrent requests', async () => {
    for (const kind of ['synced', 'device-bound'] as const) {
      const owner = await newPasskeyOwner(core, kind);
      await owner.add();
      const login = await signIn(core, owner);
      const before = (await sessionsOf(owner.id)).length;
      const answers = await Promise.all(Array.from({ length: 30 }, () => send(core, login)));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, kind);
      assert.equal(answers.filter(({ status }) => status === 404).length, 29, kind);
      assert.equal((await sessionsOf(owner.id)).length, before + 1);
      assert.equal((await sessionsOf(owner.id)).filter(({ ended_at }) => ended_at === null).length, 1);
    }
  });

  it('refuses a device-bound passkey whose counter has not increased, and notifies the owner once', async () => {
    const owner = await newPasskeyOwner(core, 'device-bound');
    await owner.add();
    for (let times = 0; times < 3; times += 1) await send(core, await signIn(core, owner)).expect(200);
    const cloned = await signIn(core, owner, { signCount: 2 });
    const answers = await Promise.all([send(core, cloned), send(core, cloned), send(core, cloned)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404],
    );
    const mails = await core.app.mailsTo(owner.email);
    assert.equal(mails.filter(({ type }) => type === 'passkey.cloned').length, 1);
    await send(core, await signIn(core, owner)).expect(200);
  });

  it('remembers that a passkey is synced now, or no longer, and notifies the owner each time', async () => {
    const owner = await newPasskeyOwner(core, 'device-bound');
    await owner.add();
    const [alone, synced] = [{ signCount: 0 }, { isBackupEligible: true, isBackedUp: true, signCount: 0 }];
    for (const overrides of [alone, synced, synced, alone])
      await send(core, await signIn(core, owner, overrides)).expect(200);
    const mails = await core.app.mailsTo(owner.email);
    assert.equal(mails.filter(({ type }) => type === 'account.passkey-changed').length, 2);
  });

  it('refuses a copy of a device-bound passkey that says it is synced', async () => {
    const owner = await newPasskeyOwner(core, 'device-bound');
    await owner.add();
    await send(core, await signIn(core, owner, { signCount: 5 })).expect(200);
    const claimed = { isBackupEligible: true, isBackedUp: true, signCount: 5 };
    await send(core, await signIn(core, owner, claimed)).expect(404);
    await send(core, await signIn(core, owner, { ...claimed, signCount: 6 })).expect(200);
  });

  it('ignores the counter of a synced passkey', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    for (const signCount of [7, 3, 3, 0, 4_294_967_295]) {
      await send(core, await signIn(core, owner, { signCount })).expect(200);
    }
  });

  it('reports a deleted passkey, so that browsers remove it', async () => {
    const owner = await newPasskeyOwner(core);
    const { Id } = await owner.add();
    await core.http.delete(`/account/passkey/${Id}`).set(owner.bearer).send({}).expect(204);
    const { body } = await send(core, await signIn(core, owner)).expect(404);
    const { code, errors } = body as { code: string; errors: { pointer: string; code: string }[] };
    assert.equal(code, 'authentication_failed');
    assert.deepEqual(
      errors.map(({ pointer, code: fault }) => [pointer, fault]),
      [['/Credential/id', 'unknown_object']],
    );
  });

  it('is limited to twenty attempts a minute per address', async () => {
    const from = { 'x-forwarded-for': someAddress() };
    for (let times = 0; times < 20; times += 1)
      await core.post('/account/login/passkey', {}, from).expect(200);
    const { headers } = await core.post('/account/login/passkey', {}, from).expect(429);
    assert.ok(Number(headers['retry-after']) <= 60);
    await requestPasskey(core);
  });

  it('keeps passkeys after a password reset', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    const Code = await core.forget(owner.email);
    const reset = { Email: owner.email, Code, Password: `${PASSWORD} anew` };
    await core.post('/account/reset-password', reset).expect(200);
    await core.http.get('/account/passkey').set(owner.bearer).expect(401);
    await send(core, await signIn(core, owner)).expect(200);
  });

  it('refuses fields of other sign-in methods, naming each', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    const login = await signIn(core, owner);
    const pointersOf = async (given: object) => {
      const { body } = await send(core, given).expect(400);
      return (body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    };
    assert.deepEqual(await pointersOf({ ...login, Password: 'x', TwoFactorToken: 'x' }), [
      '/Password',
      '/TwoFactorToken',
    ]);
    assert.deepEqual(await pointersOf({ PasskeyToken: login.PasskeyToken }), ['/Credential']);
    assert.deepEqual(await pointersOf({ Credential: login.Credential }), ['/PasskeyToken']);
    await send(core, login).expect(200);
  });

  async function sessionsOf(accountId: string) {
    return query<{ ended_at: Date | null }>(
      core.app.db,
      'select ended_at from user_session where account_id = ?',
      [accountId],
    );
  }
});
