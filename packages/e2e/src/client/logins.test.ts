import assert from 'node:assert/strict';
import { authenticator, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { createSoftwareAuthenticator } from '@gatehouse/auth-core/testing';
import { LoginStatus } from 'gatehouse-client';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { mailedCode } from '../requests/prepared/prepared.ts';
import { installation } from './testing/installation.ts';
import { query } from '@gatehouse/db';

describe('a login with gatehouse-client', () => {
  const at = installation({ LOGIN_FAILURES_FREE: 3, EMAIL_LOGIN: 'users' });

  it('is refused with the code and the status of the account', async () => {
    const { auth } = at.open();
    for (const [what, code, loginStatus] of [
      [{ isDisabled: true }, 'account_disabled', LoginStatus.IsDisabled],
      [{ expiresAt: new Date(0) }, 'account_expired', LoginStatus.IsExpired],
      [{ isNewPasswordRequired: true }, 'new_password_required', LoginStatus.IsPendingNewPassword],
    ] as const) {
      const person = await at.newPerson();
      await at.changeAccount(person.id, what);
      const outcome = await auth.login(person);
      assert.ok(outcome.kind === 'refused');
      assert.deepEqual([outcome.code, outcome.loginStatus], [code, loginStatus]);
    }
    assert.equal(auth.getState().kind, 'signed-out');
  });

  it('is refused for a wrong password, and throttled after several', async () => {
    const { auth } = at.open();
    const person = await at.newPerson();
    const wrong = () => auth.login({ ...person, Password: 'a wrong password' });
    const first = await wrong();
    assert.ok(first.kind === 'refused' && first.code === 'authentication_failed');
    await wrong();
    await wrong();
    const later = await auth.login(person);
    assert.ok(later.kind === 'refused' && later.code === 'too_many_requests');
    assert.equal(later.retryAfterSeconds, 1);
  });

  it('asks for the second factor, and takes its code', async () => {
    const { auth } = at.open();
    const person = await at.newPerson();
    const phone = await switchOnTwoFactor(at.services.app, person.id);
    const first = await auth.login(person);
    assert.ok(first.kind === 'second-factor');
    assert.ok(first.methods.includes('Totp'));
    const refused = await auth.loginWithCode(first.token, '000000');
    assert.ok(refused.kind === 'refused' && refused.code === 'authentication_failed');
    const code = phone.nextCode();
    const second = await auth.loginWithCode(first.token, code);
    assert.ok(second.kind === 'signed-in');
    assert.equal(second.session.accountId, person.id);
  });

  it('sets up the second factor if it is required, and shows the recovery codes', async () => {
    const { auth } = at.open();
    const person = await at.newPerson();
    await at.changeAccount(person.id, { isTwoFactorRequired: true });
    const first = await auth.login(person);
    assert.ok(first.kind === 'set-up-second-factor');
    const code = authenticator(at.services.app, first.setup.Secret).codeAt();
    const second = await auth.loginWithCode(first.token, code);
    assert.ok(second.kind === 'signed-in');
    assert.equal(second.recoveryCodes?.length, 10);
  });

  it('accepts a passkey instead of the password', async () => {
    const { auth } = at.open();
    const person = await at.newPerson();
    await auth.login(person);
    const key = createSoftwareAuthenticator('https://gatehouse.test');
    const { PasskeyToken, Options } = await auth.api.beginPasskey({ Password: person.Password });
    // Both sides use the JSON of WebAuthn, but with different types.
    await auth.api.addPasskey({ PasskeyToken, Credential: key.create(Options as never) });
    await auth.logout();
    const asked = await auth.api.beginPasskeyLogin();
    const outcome = await auth.loginWithPasskey({
      PasskeyToken: asked.PasskeyToken,
      Credential: key.get(asked.Options as never),
    });
    assert.ok(outcome.kind === 'signed-in' && outcome.session.accountId === person.id);
  });

  it('accepts a mailed code with the token of its request', async () => {
    const { auth } = at.open();
    const { id, Username } = await at.newPerson();
    const { RequestToken } = await auth.api.requestLoginCode({ Email: Username });
    const MailCode = await mailedCode(at.services, Username);
    const refused = await auth.loginWithMailCode({ Username, MailCode, RequestToken: 'another' });
    assert.ok(refused.kind === 'refused' && refused.code === 'authentication_failed');
    const outcome = await auth.loginWithMailCode({ Username, MailCode, RequestToken });
    assert.ok(outcome.kind === 'signed-in' && outcome.session.accountId === id);
  });

  it('rejects on errors, and names the invalid fields', async () => {
    const { auth, go } = at.open();
    const person = await at.newPerson();
    await assert.rejects(auth.login({ ...person, DeviceName: 'x'.repeat(101) }), (error: unknown) => {
      const { name, status, code, pointers, traceId } = error as Record<string, unknown>;
      assert.deepEqual([name, status, code], ['GatehouseError', 400, 'invalid_request']);
      assert.deepEqual(fieldsOf(pointers as { pointer: string }[], 'pointer'), ['/DeviceName']);
      assert.match(String(traceId), /^[0-9a-f]{32}$/);
      return true;
    });
    go(() => Promise.reject(new TypeError('fetch failed')));
    await assert.rejects(auth.login(person), { code: 'offline', status: 0 });
  });

  it('whose response arrives after a later one signs nobody in, and leaves no session behind', async () => {
    const { auth, go, told } = at.open();
    const [slow, quick] = [await at.newPerson(), await at.newPerson()];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let slowToken = '';
    go(async ({ body }, send) => {
      const answer = await send();
      if (!body.includes(slow.Username)) return answer;
      slowToken = ((await answer.clone().json()) as { Token: string }).Token;
      await held;
      return answer;
    });
    const first = auth.login(slow);
    const second = await auth.login(quick);
    assert.ok(second.kind === 'signed-in');
    release();
    await assert.rejects(first, { code: 'superseded' });
    const state = auth.getState();
    assert.ok(state.kind === 'signed-in' && state.session.accountId === quick.id);
    assert.equal(told.length, 1);
    go();
    const refused = async () => (await at.services.call('GET /ping/auth', { token: slowToken })).body['code'];
    await eventually(async () => (await refused()) === 'session_ended');
  });
});

describe('a login with gatehouse-client while every slot is taken', () => {
  const at = installation({ SESSION_SLOTS: 'web:1,mobile:1', SESSION_LIMIT: 'refuse' });

  it('tells which session is in the way, and ends it if the user agrees', async () => {
    const person = await at.newPerson();
    const [first, second] = [at.open(), at.open()];
    await first.auth.login({ ...person, DeviceName: 'Ann’s laptop' });
    const outcome = await second.auth.login(person);
    assert.ok(outcome.kind === 'session-exists');
    assert.deepEqual(fieldsOf(outcome.active, 'DeviceName'), ['Ann’s laptop']);
    assert.equal(second.auth.getState().kind, 'signed-out');
    const taken = await outcome.takeOver();
    assert.equal(taken.kind, 'signed-in');
    await assert.rejects(first.auth.api.getProfile(), { code: 'session_replaced' });
    const again = await outcome.takeOver();
    assert.ok(again.kind === 'refused' && again.code === 'authentication_failed');
  });

  it('takes a slot of the tag of its device, with every step', async () => {
    const person = await at.newPerson();
    const phone = await switchOnTwoFactor(at.services.app, person.id);
    await at.open().auth.login({ ...person, TwoFactorCode: phone.nextCode() });
    const { auth } = at.open({ sessionTag: 'mobile' });
    const asked = await auth.login(person);
    assert.ok(asked.kind === 'second-factor');
    assert.equal((await auth.loginWithCode(asked.token, phone.nextCode())).kind, 'signed-in');
    const sql = 'select tag from user_session where account_id = ? and ended_at is null order by tag';
    const tags = await query.column<string>(at.services.app.db, sql, [person.id]);
    assert.deepEqual(tags, ['mobile', 'web']);
  });
});
