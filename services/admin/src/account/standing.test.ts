import assert from 'node:assert/strict';
import { requestSecondFactor, loginWithToken, mailCode } from '@gatehouse/accounts';
import {
  failuresFor,
  setFailures,
  switchOnTwoFactor,
  codeIn,
  someAddress,
} from '@gatehouse/accounts/testing';
import { loginThrottle, throttleKeyText, accounts, inTransaction, twoFactor } from '@gatehouse/db';
import type { ThrottleKey } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, problem } from '../testing/cast.ts';

const PATH = '/admin/account';

describe('conditions that prevent a login', () => {
  const { app, boss, history, invited, member, newContent, sql } = cast();

  const standingOf = (id: string) => boss.read(`${PATH}/${id}/standing`);
  const patch = (id: string, change: object) => boss.patch(`${PATH}/${id}`, change).expect(200);
  const unlock = (id: string) => boss.post(`${PATH}/${id}/unlock`, {});
  const block = async (key: ThrottleKey, failures: number) => {
    await setFailures(app(), key, failures);
    const wait = "update login_throttle set blocked_until = now() + interval '1 minute' where email_key = ?";
    await sql(wait, [throttleKeyText(key)]);
  };

  it('have a start time and an actor, all at once', async () => {
    const { id } = await member();
    const earlier = Date.now();
    const ExpiresAt = '2020-01-02T03:04:05.000Z';
    await patch(id, { NewPasswordRequired: true, TwoFactorRequired: true });
    await patch(id, { IsDisabled: true, ExpiresAt });
    const { LoginStatus, Reasons } = await standingOf(id);
    assert.equal(LoginStatus, 3);
    const codes = [
      'account_disabled',
      'account_expired',
      'new_password_required',
      'two_factor_setup_required',
    ];
    const expected = codes.map((code) => [code, boss.id]);
    assert.deepEqual(fieldsOf(Reasons, 'Code', 'By'), expected);
    assert.equal(Reasons[1].Since, ExpiresAt);
    for (const at of [0, 2, 3]) {
      const since = Date.parse(Reasons[at].Since);
      assert.ok(since >= earlier - 1000 && since <= Date.now() + 1000);
    }
    await patch(id, { IsDisabled: false, ExpiresAt: null });
    await patch(id, { NewPasswordRequired: false, TwoFactorRequired: false });
    assert.deepEqual((await standingOf(id)).Reasons, []);
  });

  it('have no actor if none is known', async () => {
    const { id, set } = await member();
    await patch(id, { IsDisabled: true, ExpiresAt: '2020-01-01T00:00:00Z' });
    await patch(id, { IsDisabled: false });
    await set("is_disabled = true, expires_at = '2021-01-01', new_password_required = true");
    assert.deepEqual((await standingOf(id)).Reasons, [
      { Code: 'account_disabled', Since: null, By: null },
      { Code: 'account_expired', Since: '2021-01-01T00:00:00.000Z', By: null },
      { Code: 'new_password_required', Since: null, By: null },
    ]);
  });

  it('include a pending sign-up, with the creator or inviter', async () => {
    for (const [given, Code, LoginStatus] of [
      [{}, 'signup_pending', 5],
      [{ IsMigrated: true }, 'migration_pending', 6],
    ] as const) {
      const made = await boss.post(PATH, { Email: `${newId()}@example.com`, ...given }).expect(201);
      const { Id, CreatedAt } = made.body;
      const found = await standingOf(Id);
      assert.deepEqual(found.Reasons, [{ Code, Since: CreatedAt, By: boss.id }]);
      const shown = [found.LoginStatus, found.HasPassword, found.PasswordScheme];
      assert.deepEqual(shown, [LoginStatus, false, null]);
    }
    const { id, set } = await member();
    await set('email_verified_at = null');
    const [reason] = (await standingOf(id)).Reasons;
    assert.deepEqual([reason.Code, reason.By], ['email_confirmation_pending', null]);

    const { invitationId, id: guestId } = await invited(await newContent(), { by: boss.id });
    await sql("update invitation set invited_at = '2026-01-02T00:00:00Z' where id = ?", [invitationId]);
    assert.deepEqual((await standingOf(guestId)).Reasons, [
      { Code: 'invitation_pending', Since: '2026-01-02T00:00:00.000Z', By: boss.id },
    ]);
  });

  it('include failures, throttling, and the number of recovery codes left', async () => {
    const { id, email } = await member();
    const { recoveryCodes } = await switchOnTwoFactor(app(), id);
    const statement = `update recovery_code set used_at = now()
       where code_hash = (select code_hash from recovery_code where account_id = ? limit 1)`;
    await sql(statement, [id]);
    await loginThrottle.raise(app().db, failuresFor(email), 10);
    await block({ kind: 'second-factor', accountId: id }, 12);
    const found = await standingOf(id);
    const shown = [found.LoginStatus, found.Reasons, found.Failures, found.RecoveryCodesLeft];
    assert.deepEqual(shown, [2, [], 12, recoveryCodes.length - 1]);
    assert.ok(Date.parse(found.BlockedUntil) > Date.now());
    assert.ok(Math.abs(Date.parse(found.LastRefusedAt) - Date.now()) < 60_000);
  });

  it('no longer include throttling once an administrator has cleared it, for any address, with one audit entry', async () => {
    const { id, email } = await member();
    const near = await member({ email: `a${email}` });
    const keys: ThrottleKey[] = [
      failuresFor(email),
      { kind: 'second-factor', accountId: id },
      { ...failuresFor(email), from: '192.0.2.1' },
      { kind: 'second-factor', accountId: id, from: '2001:db8::/64' },
    ];
    for (const key of [...keys, failuresFor(near.email)]) await block(key, 11);
    assert.deepEqual((await unlock(id).expect(200)).body, {});
    const found = await standingOf(id);
    assert.deepEqual([found.Failures, found.BlockedUntil, found.LastRefusedAt], [0, null, null]);
    for (const key of keys) assert.equal(await loginThrottle.findBlock(app().db, key), undefined);
    assert.notEqual(await loginThrottle.findBlock(app().db, failuresFor(near.email)), undefined);
    await unlock(id).expect(200);
    const shown = await history({ action: 'account.unlocked', targetId: id }, 'actorId', 'details');
    assert.deepEqual(shown, [[boss.id, { Failures: 44 }]]);
  });

  it('count failures after an unlock again, including checks in progress', async () => {
    const { id, email } = await member();
    const key = failuresFor(email);
    const { db } = app();
    await setFailures(app(), key, 10);
    const underWay = await loginThrottle.raise(db, key, 10);
    assert.ok(underWay.admitted);
    assert.equal(underWay.failures, 11);
    await unlock(id).expect(200);
    await loginThrottle.settleFailure(db, key, underWay.check);
    const next = await loginThrottle.raise(db, key, 10);
    assert.deepEqual([next.admitted, next.failures], [true, 1]);
  });
});

describe('account recovery by an administrator', () => {
  const { app, boss, history, login, mailsTo, member, sql, standing } = cast();

  const reset = (id: string) => boss.post(`${PATH}/${id}/reset-password`);
  const removeTwoFactor = (id: string) => boss.delete(`${PATH}/${id}/two-factor`);
  const actions = (id: string) => history({ targetId: id }, 'action');

  it('mails the owner a reset code, which is not returned', async () => {
    const person = await member();
    const session = await login(person);
    assert.deepEqual((await reset(person.id).expect(200)).body, {});
    assert.match(codeIn(await mailsTo(person.email)), /^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    assert.deepEqual(await actions(person.id), ['account.reset-started']);
    // The session stays active until the owner has set a password.
    assert.equal(await standing(session.Token), 'User');
  });

  it('reports when the hourly limit of such mails is reached, and does nothing', async () => {
    const person = await member();
    for (let time = 0; time < 5; time += 1) await reset(person.id).expect(200);
    const newest = await sql('select id from account_code where account_id = ?', [person.id]);
    const { headers } = await reset(person.id).expect(problem('too_many_requests'));
    const wait = Number(headers['retry-after']);
    assert.ok(wait > 3500 && wait <= 3600, headers['retry-after']);
    assert.equal((await mailsTo(person.email)).length, 5);
    assert.equal((await actions(person.id)).length, 5);
    assert.deepEqual(await sql('select id from account_code where account_id = ?', [person.id]), newest);
  });

  it('works if strangers have used up the owner’s own limit of mails', async () => {
    const person = await member();
    await inTransaction(app().db, NO_DEADLINE, async (tx) => {
      const account = await accounts.lockById(tx, person.id);
      assert.ok(account);
      const ask = () => mailCode(app(), tx, account, 'reset', { traceId: '0' });
      for (let time = 0; time < 5; time += 1) assert.equal(await ask(), true);
      assert.equal(await ask(), false);
    });
    await reset(person.id).expect(200);
    assert.equal((await mailsTo(person.email)).length, 6);
  });

  const NO_PASSWORD = 'password_hash = null, password_scheme = null';
  for (const [status, state, role, refusal] of [
    ['none', 'is_disabled = false', 'User', undefined],
    [1, 'two_factor_required = true', 'User', undefined],
    [3, 'is_disabled = true', 'User', /is disabled/],
    [4, 'email_verified_at = null', 'User', undefined],
    [5, `signup = 'new', ${NO_PASSWORD}`, 'User', undefined],
    [5, `signup = 'new', ${NO_PASSWORD}`, 'Admin', undefined],
    [6, `signup = 'migration', ${NO_PASSWORD}`, 'User', undefined],
    [7, 'new_password_required = true', 'User', undefined],
    [7, `new_password_required = true, ${NO_PASSWORD}`, 'User', undefined],
    [8, 'expires_at = now()', 'User', /has expired/],
    [9, `signup = 'invitation', ${NO_PASSWORD}`, 'Guest', /accept the invitation/],
  ] as const)
    it(`${refusal ? 'cannot reset, and says why,' : 'resets'} an account of a ${role} in status ${status}: ${state}`, async () => {
      const person = await member({ role });
      await person.set(state);
      const { body } = await reset(person.id).expect(refusal ? 409 : 200);
      if (refusal) {
        assert.equal(body.code, 'conflict');
        assert.match(body.detail, refusal);
      }
      assert.equal((await mailsTo(person.email)).length, refusal ? 0 : 1);
      assert.deepEqual(await actions(person.id), refusal ? [] : ['account.reset-started']);
    });

  it('removes a lost second factor: sessions and waiting logins end, the owner gets a mail', async () => {
    const person = await member();
    const phone = await switchOnTwoFactor(app(), person.id);
    const session = await login(person);
    const account = await accounts.findById(app().db, person.id);
    assert.ok(account);
    const waiting = await requestSecondFactor(app(), account, { dueAt: Infinity });
    assert.ok(waiting.kind === 'asked');

    await removeTwoFactor(person.id).expect(204, '');
    assert.equal(await twoFactor.find(app().db, person.id), undefined);
    assert.equal(await standing(session.Token), 'session_deactivated');
    const [code = ''] = phone.recoveryCodes;
    const shown = { token: waiting.next.TwoFactorToken, code, addressGroup: someAddress() };
    assert.equal((await loginWithToken(app(), shown, { traceId: '0', dueAt: Infinity })).kind, 'failed');
    const mail = (await mailsTo(person.email)).at(-1) ?? assert.fail();
    // The administrator’s address is not the owner’s business.
    assert.deepEqual([mail.type, 'IpAddress' in mail.content], ['account.two-factor-disabled', false]);
    assert.equal((await actions(person.id))[0], 'account.two-factor-removed');
    await removeTwoFactor(person.id).expect(problem('conflict'));
  });
});
