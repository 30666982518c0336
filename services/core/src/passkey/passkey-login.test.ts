import assert from 'node:assert/strict';
import { someAddress } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { atOnce, countOf } from '../testing/cast.ts';
import { during, startCore } from '../testing/index.ts';
import { requestPasskey, newPasskeyOwner, send, setAccount, signIn } from '../testing/passkeys.ts';

describe('a login with a passkey', () => {
  const core = during(() => startCore());

  it('requires only the passkey, of whatever account', async () => {
    const { Options } = await requestPasskey(core);
    assert.deepEqual([Options.allowCredentials, Options.userVerification], [[], 'required']);
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
  });

  it('does not enable a second factor for passwords', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    assert.ok('Token' in (await core.login(owner.email)));
  });

  for (const [sets, status, code] of [
    ['is_disabled = true', 3, 'account_disabled'],
    [`signup = 'invitation'`, 9, 'invitation_pending'],
  ] as const) {
    it(`is refused with status ${status} like a password`, async () => {
      const owner = await newPasskeyOwner(core);
      await owner.add();
      await setAccount(core, owner.id, sets);
      const { body } = await send(core, await signIn(core, owner)).expect(403);
      assert.deepEqual([body.LoginStatus, body.code], [status, code]);
    });
  }

  it('opens one session per signature with concurrent requests', async () => {
    for (const kind of ['synced', 'device-bound'] as const) {
      const owner = await newPasskeyOwner(core, kind);
      await owner.add();
      const login = await signIn(core, owner);
      const before = (await sessionsOf(owner.id)).length;
      const answers = await atOnce(30, () => send(core, login));
      assert.deepEqual([countOf(200, answers), countOf(404, answers)], [1, 29], kind);
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

  it('refuses fields of other sign-in methods, naming each', async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    const login = await signIn(core, owner);
    const { body } = await send(core, { ...login, Password: 'x', TwoFactorToken: 'x' }).expect(400);
    const { errors } = body as { errors: { pointer: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/Password', '/TwoFactorToken'],
    );
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
