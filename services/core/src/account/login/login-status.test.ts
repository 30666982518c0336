import assert from 'node:assert/strict';
import { changeAccount, createAccount, importAccounts, inviteUsers } from '@gatehouse/accounts';
import {
  authenticator,
  newContent,
  someEmail,
  switchOnTwoFactor,
  unexpected,
} from '@gatehouse/accounts/testing';
import { accounts, contentDefinitions, inTransaction, type AccountChange } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { PASSWORD, startCore, type TestCore } from '../../testing/index.ts';
import { NO_DEADLINE } from '@gatehouse/runtime';

/** Changes of administrators and inviters to an account, and the response of its next login. */
describe('POST /account/login, in each of the nine statuses', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const origin = { traceId: '0', dueAt: Infinity };
  const by = { actor: { kind: 'System' }, origin } as const;
  const attempt = (email: string, password = PASSWORD) =>
    core.post('/account/login', { Username: email, Password: password });
  const create = async (password: string | undefined, isMigrated = false) => {
    const email = someEmail();
    const given = {
      email,
      password,
      displayName: undefined,
      locale: undefined,
      role: 'User',
      isMigrated,
    } as const;
    const id = await createAccount(core.app, given, by);
    assert.ok(id);
    return { id, email };
  };
  const changed = async (change: AccountChange) => {
    const { id, email } = await create(PASSWORD);
    const session = await core.login(email);
    assert.equal((await changeAccount(core.app, id, change, by)).kind, 'changed');
    return { id, email, session };
  };

  it('has none for an account that was made with a password', async () => {
    const { email } = await create(PASSWORD);
    assert.deepEqual(Object.keys((await attempt(email).expect(200)).body).toSorted(), [
      'ExpirationSeconds',
      'RefreshToken',
      'Token',
    ]);
  });

  it('is in 1 when two-factor is required and not set up, and sets it up', async () => {
    const { email, session } = await changed({ isTwoFactorRequired: true });
    await core.post('/account/refresh-token', { RefreshToken: session.RefreshToken }).expect(401);
    const { body } = await attempt(email).expect(200);
    assert.equal(body.LoginStatus, 1);
    const TwoFactorCode = authenticator(core.app, body.TwoFactorSetup.Secret).codeAt();
    const { TwoFactorToken } = body;
    const done = await core.post('/account/login', { TwoFactorToken, TwoFactorCode }).expect(200);
    assert.equal(done.body.RecoveryCodes.length, 10);
  });

  it('is in 2 when two-factor is on', async () => {
    const { id, email } = await create(PASSWORD);
    await switchOnTwoFactor(core.app, id);
    const { body } = await attempt(email).expect(200);
    assert.deepEqual([body.LoginStatus, 'Token' in body], [2, false]);
  });

  for (const [status, change, ping] of [
    [3, { isDisabled: true }, 4],
    [7, { isNewPasswordRequired: true }, 4],
    [8, { expiresAt: new Date(0) }, 3],
  ] as const) {
    it(`is in ${status} after an administrator’s change, as are its session and refresh`, async () => {
      const { email, session } = await changed(change);
      const refused = await attempt(email).expect(403);
      assert.equal(refused.body.LoginStatus, status);
      assert.equal((await attempt(email, 'another password').expect(404)).body.LoginStatus, undefined);
      assert.equal(await core.pingWith(session.Token), ping);
      const refresh = await core.post('/account/refresh-token', { RefreshToken: session.RefreshToken });
      assert.deepEqual([refresh.status, refresh.body.LoginStatus], [403, status]);
    });
  }

  it('tells the owner in 3 until when and why only if an administrator chose to, and nobody without the password', async () => {
    const disabledUntil = new Date(Date.now() + 3_600_000);
    const ban = { isDisabled: true, disabledUntil, disabledReason: 'spam' };
    for (const tellsReason of [true, false]) {
      const { email } = await changed({ ...ban, tellsReason });
      const { body } = await attempt(email).expect(403);
      const told = [body.LoginStatus, body.DisabledUntil, body.DisabledReason];
      assert.deepEqual(
        told,
        tellsReason ? [3, disabledUntil.toISOString(), 'spam'] : [3, undefined, undefined],
      );
      const wrong = JSON.stringify((await attempt(email, 'another password').expect(404)).body);
      assert.doesNotMatch(wrong, /Disabled|spam/);
    }
  });

  it('is in 4 until a registration is verified', async () => {
    const email = someEmail();
    const { body } = await core.post('/account/register', { Email: email, Password: PASSWORD }).expect(200);
    assert.equal(body.LoginStatus, 4);
    assert.equal((await attempt(email).expect(403)).body.LoginStatus, 4);
  });

  for (const [status, made] of [
    [5, () => create(undefined)],
    [6, () => create(undefined, true)],
  ] as const) {
    it(`is in ${status} without a password, also after registering`, async () => {
      const { email } = await made();
      assert.equal((await attempt(email, 'whatever it is').expect(403)).body.LoginStatus, status);
      await core.post('/account/register', { Email: email, Password: PASSWORD }).expect(200);
      assert.equal((await attempt(email).expect(403)).body.LoginStatus, status);
    });
  }

  it('is in 6 when it was imported without a hash, and in none with one', async () => {
    const [without, hashed] = [someEmail(), someEmail()];
    const PasswordHash = '$2y$04$4rl0W1m3R87qE4ZVvCOFZOPlerQmAjQec10vlN8bwtf0CVcksih1y';
    async function* lines() {
      yield { number: 1, kind: 'value', value: { Email: without } } as const;
      yield { number: 2, kind: 'value', value: { Email: hashed, PasswordHash } } as const;
    }
    await importAccounts(core.app, lines(), { ...by, origin });
    assert.equal((await attempt(without, 'whatever it is').expect(403)).body.LoginStatus, 6);
    await attempt(hashed, 'imported from elsewhere').expect(200);
  });

  it('is in 9 until a guest has accepted the invitation', async () => {
    const email = someEmail();
    const content = await contentDefinitions.findById(core.app.db, await newContent(core.app));
    assert.ok(content);
    const sharing = { content, sharer: { id: newId(), account: undefined }, actor: by.actor };
    await inviteUsers(core.app, { ...sharing, emails: new Map([[email, email]]) }, origin, unexpected);
    assert.equal((await attempt(email, 'whatever it is').expect(403)).body.LoginStatus, 9);
    assert.equal((await accounts.findByEmailKey(core.app.db, email))?.role, 'Guest');
  });

  it('is no longer in 7 once the owner has set a new password', async () => {
    const { id, email } = await changed({ isNewPasswordRequired: true });
    const passwordHash = await core.app.passwords.hash('a wholly new one');
    await inTransaction(core.app.db, NO_DEADLINE, (tx) => accounts.updatePassword(tx, id, passwordHash));
    await attempt(email, 'a wholly new one').expect(200);
  });
});
